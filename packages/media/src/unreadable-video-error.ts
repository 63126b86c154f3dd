/** A file without a video, or a damaged one; `reason` is one clause without the path of the file. */
export class UnreadableVideoError extends Error {
  override readonly name = "UnreadableVideoError";
  readonly file: string;
  readonly reason: string;
  /** What ffmpeg printed; undefined where `reason` has it. */
  readonly output: string | undefined;

  constructor(file: string, reason: string, output?: string) {
    super(`${file}: ${reason}`);
    this.file = file;
    this.reason = reason;
    this.output = output === reason || output === "" ? undefined : output;
  }
}
