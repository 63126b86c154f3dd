/** A working pair of ffmpeg and ffprobe. */
export type FfmpegTools = {
  ffmpegPath: string;
  ffprobePath: string;
  /** The version in ffmpeg's own format, for example `5.1.9-0+deb12u1`. */
  version: string;
  origin: "configured" | "system";
  /** The option that preserves timestamps; its name depends on the version of ffmpeg. */
  frameTimingOption: "-fps_mode" | "-vsync";
  /**
   * The decoder of the frame stream: "none" (software, the default), "auto", or a name that `ffmpeg -hwaccels`
   * prints. A video that it cannot decode is decoded in software.
   */
  hardwareDecoder?: string | undefined;
  /** Set by `limitTools`. */
  limits?: VideoLimits;
};

/** Limits of ffmpeg and ffprobe for one video of an untrusted origin. */
export type VideoLimits = { memoryBytes: number; cpuSeconds: number; pixels: number };
