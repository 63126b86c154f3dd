import type { LibraryMatch } from "./library-match.ts";

export type OpenSearchOptions = {
  /** Looks for newly indexed and removed episodes every second. */
  follow: boolean;
  /** Episodes read so far while the index is brought up to date. */
  onProgress?: ((progress: { done: number; total: number }) => void) | undefined;
  signal?: AbortSignal | undefined;
};

export type SearchOptions = {
  /** Most matches to give. */
  limit: number;
  /** Search in one anime only; without matches when it is unknown. */
  animeId?: string | undefined;
  signal?: AbortSignal | undefined;
};

export type SearchOutcome = { matches: LibraryMatch[] /** Frames that were searched. */; frameCount: number };

/** A picture that is read when its turn comes. */
export type PictureToSearch = { read(): Promise<Uint8Array> };

export type LibrarySearch = {
  /** Best first, one match per scene. Throws PictureError, EngineBusyError, AbortError. */
  search(bytes: Uint8Array, o: SearchOptions): Promise<SearchOutcome>;
  /** One outcome per picture in the order given, several under way at a time; what a picture throws is its `error`. */
  searchMany<P extends PictureToSearch>(
    pictures: Iterable<P> | AsyncIterable<P>,
    o: SearchOptions,
  ): AsyncGenerator<{ picture: P; outcome: SearchOutcome } | { picture: P; error: unknown }, void, void>;
  /** Frames in the index now. */
  frameCount(): number;
  /** True when there is something to search in. */
  isReady(): boolean;
  /** Number of the last library change that is in the index. */
  seq(): bigint;
  /** Saves the cache and ends the threads. */
  close(): Promise<void>;
};
