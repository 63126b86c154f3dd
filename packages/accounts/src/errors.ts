/** Another account has this mail address. */
export class EmailTakenError extends Error {
  override readonly name = "EmailTakenError";
  constructor() {
    super("another account has this address");
  }
}
