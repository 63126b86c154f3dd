import { hkdfSync, randomBytes } from "node:crypto";
import { link, mkdir, open, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseSecret } from "@koma/config";

/**
 * The configured secret, or the one in the data folder, which the first start creates (mode 0600). Throws
 * ConfigurationError when it is too short, because everybody can derive the keys of an empty secret.
 */
export async function openSecret(options: SecretOptions): Promise<string> {
  return (
    (await findSecret(options)) ?? (await saveSecret(options.dataDir, randomBytes(32).toString("base64url")))
  );
}

/**
 * The configured secret, or the one in the data folder; undefined without both. Throws ConfigurationError as
 * `openSecret` does.
 */
export async function findSecret(options: SecretOptions): Promise<string | undefined> {
  return options.environmentSecret ?? (await readSecret(join(options.dataDir, "secret")));
}

type SecretOptions = { dataDir: string; environmentSecret?: string | undefined };

/** The purpose of a derived key. */
export type KeyPurpose =
  | "auth"
  | "attempt"
  | "bot-database"
  /** The bots derive this key too, if they have the secret. */
  | "bot-vault"
  | "caller"
  | "confirm"
  | "link"
  | "preview"
  | "security-log"
  | "worker-preview";

/** A key of 32 bytes for one purpose (HKDF, RFC 5869), so that one secret serves several. */
export function deriveKey(secret: string, purpose: KeyPurpose): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", `koma:${purpose}`, 32));
}

async function readSecret(file: string): Promise<string | undefined> {
  try {
    return parseSecret(await readFile(file, "utf8"), file);
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

/**
 * Stores a secret in the data folder unless it has one, and returns the stored one. The file is linked after
 * it was flushed, so that two processes use the same secret and a power failure leaves all of it or nothing.
 */
export async function saveSecret(dataDir: string, secret: string): Promise<string> {
  const file = join(dataDir, "secret");
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  await writeFile(draft, `${secret}\n`, { mode: 0o600, flush: true });
  try {
    await link(draft, file);
    await flushFolder(dataDir);
    return secret;
  } catch (error) {
    if (!isCode(error, "EEXIST")) throw error;
    return parseSecret(await readFile(file, "utf8"), file);
  } finally {
    await rm(draft, { force: true });
  }
}

/** The name of a file survives a power failure once its folder is flushed (fsync(2)). */
async function flushFolder(folder: string): Promise<void> {
  await using handle = await open(folder, "r");
  await handle.sync();
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
