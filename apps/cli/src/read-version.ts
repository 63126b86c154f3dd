import { readFileSync } from "node:fs";

/** Version of Koma as its package states it. */
export function readVersion(): string {
  return JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;
}
