/** A file without a video, or a damaged one; `reason` is one clause without the path of the file. */
export class UnreadableVideoError extends Error {
  override readonly name = "UnreadableVideoError";
  readonly file: string;
  readonly reason: string;

  constructor(file: string, reason: string) {
    super(`${file}: ${reason}`);
    this.file = file;
    this.reason = reason;
  }
}
