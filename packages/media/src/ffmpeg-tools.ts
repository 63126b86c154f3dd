/** A working pair of ffmpeg and ffprobe. */
export type FfmpegTools = {
  ffmpegPath: string;
  ffprobePath: string;
  /** As ffmpeg prints it, for example `5.1.9-0+deb12u1`. */
  version: string;
  origin: "configured" | "system" | "bundled";
  /** The option that keeps timestamps as they are; its name depends on ffmpeg's age. */
  frameTimingOption: "-fps_mode" | "-vsync";
  /** Set by `limitTools`. */
  limits?: VideoLimits;
};

/** What ffmpeg and ffprobe may use for one video of an untrusted origin. */
export type VideoLimits = { memoryBytes: number; cpuSeconds: number; pixels: number };
