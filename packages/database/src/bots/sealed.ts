/** Ciphertext with its nonce, and which key of the vault reads it. */
export type Sealed = { keyId: string; sealed: Uint8Array };

/** As Prisma wants bytes: in a buffer of their own. */
export function toBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}
