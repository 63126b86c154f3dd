import { writeJsonLine } from "../terminal/write-json-line.ts";
import type { SearchLine } from "./search-line.ts";
import { formatSearchLine } from "./search-table.ts";

/** Prints lines as they come. False when an image could not be searched. */
export async function printLines(lines: AsyncIterable<SearchLine>, json: boolean): Promise<boolean> {
  let isGood = true;
  for await (const line of lines) {
    if ("error" in line) isGood = false;
    if (json) await writeJsonLine(line);
    else process.stdout.write(`${formatSearchLine(line)}\n\n`);
  }
  return isGood;
}
