/** Another account has this mail address. */
export class EmailTakenError extends Error {
  override readonly name = "EmailTakenError";
  constructor() {
    super("another account has this address");
  }
}

/** The user has the maximum number of API keys. */
export class TooManyKeysError extends Error {
  override readonly name = "TooManyKeysError";
  constructor() {
    super("the user has the maximum number of API keys");
  }
}
