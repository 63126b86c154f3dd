/** Ciphertext with its nonce, and the id of the vault key that decrypts it. */
export type Sealed = { keyId: string; sealed: Uint8Array };

/** Copies bytes into a buffer of their own, as Prisma's types require. */
export function toBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}
