/** Too many previews wait to be cut; try again later. */
export class PreviewBusyError extends Error {
  override readonly name = "PreviewBusyError";
}

/** The film is no longer there (or no longer readable), so that nothing can be cut from it. */
export class PreviewGoneError extends Error {
  override readonly name = "PreviewGoneError";
}

/** Small, medium or large: stills 320, 640, 1280 pixels wide; clips 180, 360, 720 high. Never larger than the film. */
export type PreviewSize = "s" | "m" | "l";

export type PreviewsOptions = {
  /** Folder of the cache; by default `previews` in the data folder. */
  cacheDir?: string | undefined;
  /** Bytes that the cache may hold; the least recently used files go first. Default 2 GiB. */
  limitBytes?: number | undefined;
  /** ffmpeg processes at the same time. Default 2. */
  concurrency?: number | undefined;
  /** Previews that may wait for a process before PreviewBusyError. Default 32. */
  maxQueued?: number | undefined;
};

export type StillOptions = { size?: PreviewSize | undefined; signal?: AbortSignal | undefined };
export type ClipOptions = StillOptions & { isMuted?: boolean | undefined };

export type Previews = {
  /** Path of a JPEG of the frame shown at that time. Throws PreviewGoneError, PreviewBusyError. */
  still(episodeId: string, atSeconds: number, o?: StillOptions): Promise<string>;
  /** Path of an MP4 with the film between these times. Throws PreviewGoneError, PreviewBusyError. */
  clip(episodeId: string, fromSeconds: number, toSeconds: number, o?: ClipOptions): Promise<string>;
  /** Ends running processes. */
  close(): Promise<void>;
};
