import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";

const blockBytes = 1024 * 1024;

/**
 * Returns the SHA-256 of a file in hexadecimal; it holds one block in memory. Throws file errors and
 * AbortError.
 */
export async function hashVideo(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  const stream = createReadStream(path, {
    highWaterMark: blockBytes,
    ...(signal === undefined ? {} : { signal }),
  });
  for await (const block of stream) hash.update(block);
  return hash.digest("hex");
}
