import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import type { Sealed } from "@koma/database/bots";

/** Encrypts the personal data that the bots store. */
export type Vault = ReturnType<typeof createVault>;

/** A ciphertext cannot be decrypted: it was changed, belongs to another row, or its key is not configured. */
export class VaultError extends Error {
  override readonly name = "VaultError";
}

/**
 * AES-256-GCM with a random nonce. A ciphertext for one `associatedData` (table and row) can only be
 * decrypted with it, so it is invalid in another row. The first key encrypts, all decrypt; `keyId`, the start
 * of its hash, identifies a key.
 */
export function createVault(keys: readonly Uint8Array[]) {
  const known = new Map(keys.map((key) => [nameKey(key), key]));
  const [current] = known.keys();
  if (current === undefined || keys.some((key) => key.length !== 32)) {
    throw new VaultError("The vault needs keys of 32 bytes.");
  }
  const currentKey = known.get(current) ?? new Uint8Array();

  function open(associatedData: string, { keyId, sealed }: Sealed): Buffer {
    const key = known.get(keyId);
    if (key === undefined) throw new VaultError(`The key ${keyId} of the vault is not configured.`);
    try {
      const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      });
      decipher.setAAD(bindTo(keyId, associatedData));
      decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
      return Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()]);
    } catch {
      // The cause contains no further information.
      throw new VaultError("A ciphertext of the vault was changed, or belongs to another row.");
    }
  }

  function seal(associatedData: string, content: Uint8Array): Sealed {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv("aes-256-gcm", currentKey, nonce, { authTagLength: tagBytes });
    cipher.setAAD(bindTo(current ?? "", associatedData));
    const encrypted = Buffer.concat([cipher.update(content), cipher.final()]);
    return { keyId: current ?? "", sealed: Buffer.concat([nonce, cipher.getAuthTag(), encrypted]) };
  }

  return {
    /** The key that currently encrypts. */
    currentKeyId: current,
    seal,
    /** Throws VaultError. */
    open,
    sealJson: (associatedData: string, content: unknown): Sealed =>
      seal(associatedData, Buffer.from(JSON.stringify(content))),
    /** Throws VaultError. */
    openJson: (associatedData: string, sealed: Sealed): unknown =>
      JSON.parse(open(associatedData, sealed).toString("utf8")),
  };
}

const nonceBytes = 12;
const tagBytes = 16;

function nameKey(key: Uint8Array): string {
  return createHash("sha256").update("koma:bot-vault-key").update(key).digest("hex").slice(0, 16);
}

function bindTo(keyId: string, associatedData: string): Buffer {
  return Buffer.from(`koma:bots:1\0${keyId}\0${associatedData}`);
}
