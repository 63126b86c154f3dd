import { createCipheriv, createDecipheriv, createHmac, randomBytes, scryptSync } from "node:crypto";

/**
 * A secret that is encrypted by a passphrase (scrypt, RFC 7914, and AES-256-GCM); binary fields in base64.
 */
export type SealedSecret = { salt: string; nonce: string; ciphertext: string; tag: string };

/** Encrypts a secret by a passphrase, for a backup. */
export function sealSecret(secret: string, passphrase: string): SealedSecret {
  const salt = randomBytes(16);
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", deriveFromPassphrase(passphrase, salt), nonce);
  const ciphertext = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
  const [encodedSalt, encodedNonce] = [salt.toString("base64"), nonce.toString("base64")];
  const tag = cipher.getAuthTag().toString("base64");
  return { salt: encodedSalt, nonce: encodedNonce, ciphertext: ciphertext.toString("base64"), tag };
}

/** Decrypts a sealed secret; undefined when the passphrase is wrong. */
export function unsealSecret(sealed: SealedSecret, passphrase: string): string | undefined {
  const read = (text: string) => Buffer.from(text, "base64");
  const key = deriveFromPassphrase(passphrase, read(sealed.salt));
  const decipher = createDecipheriv("aes-256-gcm", key, read(sealed.nonce), { authTagLength: 16 });
  decipher.setAuthTag(read(sealed.tag));
  try {
    return Buffer.concat([decipher.update(read(sealed.ciphertext)), decipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}

/** A value by which a backup shows whether a secret is the one of its database, without containing it. */
export function fingerprintSecret(secret: string): string {
  return createHmac("sha256", secret).update("koma:backup-fingerprint").digest("base64url");
}

// The parameters that OWASP recommends (2^17, 8, 1); scrypt needs 128 * N * r bytes, which is 128 MiB.
const cost = { N: 2 ** 17, r: 8, p: 1, maxmem: 192 * 1024 * 1024 };

function deriveFromPassphrase(passphrase: string, salt: Buffer): Buffer {
  return scryptSync(passphrase.normalize("NFKC"), salt, 32, cost);
}
