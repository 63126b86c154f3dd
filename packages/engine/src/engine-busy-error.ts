/** More images wait than `maxQueued` allows; the caller may try again later. */
export class EngineBusyError extends Error {
  override readonly name = "EngineBusyError";

  constructor() {
    super("The engine has too many waiting images.");
  }
}
