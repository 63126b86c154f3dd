/** Why a picture cannot be searched. */
export type ImageProblem =
  /** No picture and no film by its content, or of a kind that nothing here reads. */
  | "unsupported"
  | "too-large"
  | "unreadable"
  | "unreadable-video"
  /** No ffmpeg that may decode users' videos is installed. */
  | "videos-off"
  /** It could not be downloaded. */
  | "download-failed"
  | "download-timed-out";

/** A picture cannot be searched. */
export class ImageError extends Error {
  override readonly name = "ImageError";
  readonly problem: ImageProblem;

  constructor(problem: ImageProblem, options: { cause?: unknown } = {}) {
    super(`The picture is ${problem}.`, options);
    this.problem = problem;
  }
}
