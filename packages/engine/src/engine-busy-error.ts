/** More pictures wait than the engine was opened for; try again later. */
export class EngineBusyError extends Error {
  override readonly name = "EngineBusyError";

  constructor() {
    super("The engine has too many pictures waiting.");
  }
}
