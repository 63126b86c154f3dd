/** An error that the user can resolve; the message contains the reason and the remedy. */
export class StarterError extends Error {
  /**
   * @param {string} message
   * @param {number} exitCode
   */
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}
