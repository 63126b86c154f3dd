/** The bytes are not complete descriptors of the stated model. */
export class CorruptDescriptorsError extends Error {
  override readonly name = "CorruptDescriptorsError";

  constructor(reason: string, options?: ErrorOptions) {
    super(`The stored descriptors cannot be used. ${reason}`, options);
  }
}
