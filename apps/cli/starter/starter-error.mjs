/** A problem the person at the terminal can solve; the message says what happened and what to do. */
export class StarterError extends Error {
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}
