/** The reason why an image cannot be searched. */
export type ImageProblem =
  /** The content is no image or video, or has an unsupported format. */
  | "unsupported"
  /** A HEIC photo; the usual build of libvips has no decoder of HEVC, which is patented. */
  | "heic"
  | "too-large"
  | "unreadable"
  | "unreadable-video"
  /** The machine has no ffmpeg that may decode users' videos. */
  | "videos-off"
  /** The download failed. */
  | "download-failed"
  | "download-timed-out";

/** An image cannot be searched. */
export class ImageError extends Error {
  override readonly name = "ImageError";
  readonly problem: ImageProblem;

  constructor(problem: ImageProblem, options: { cause?: unknown } = {}) {
    super(`The image is ${problem}.`, options);
    this.problem = problem;
  }
}
