import { randomBytes } from "node:crypto";
import { rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

/**
 * Writes to a temporary file beside `outputFile` and renames it, so that the name always refers to a complete
 * file.
 */
export async function writeOutput(
  outputFile: string,
  write: (temporaryFile: string) => Promise<void>,
): Promise<void> {
  const temporaryFile = join(dirname(outputFile), `.${randomBytes(9).toString("hex")}.part`);
  try {
    await write(temporaryFile);
    await rename(temporaryFile, outputFile);
  } catch (error) {
    await rm(temporaryFile, { force: true });
    throw error;
  }
}
