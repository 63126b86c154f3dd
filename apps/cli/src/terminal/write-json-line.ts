import { once } from "node:events";

/** Writes one value as one line of JSON on standard output, not faster than it is read. */
export async function writeJsonLine(value: unknown): Promise<void> {
  if (!process.stdout.write(`${JSON.stringify(value)}\n`)) await once(process.stdout, "drain");
}
