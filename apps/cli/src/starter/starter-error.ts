/** An error that the user can resolve; the message contains the reason and the remedy. */
export class StarterError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}
