/** A file that is no film, or a damaged one; `reason` is one sentence part without the file's path. */
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
