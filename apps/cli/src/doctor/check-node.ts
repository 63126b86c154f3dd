import { readFileSync } from "node:fs";
import { type Finding, ok, problem } from "./finding.ts";

/** Compares the version of Node with the one that package.json requires. */
export async function checkNode(): Promise<Finding[]> {
  const file = new URL("../../../../package.json", import.meta.url);
  const required: string = JSON.parse(readFileSync(file, "utf8")).engines.node;
  const minimum = required.replace(">=", "");
  const { node } = process.versions;
  if (node.localeCompare(minimum, "en", { numeric: true }) >= 0) return [ok(`Node ${node}`)];
  return [problem(`Node ${node} is too old: install Node ${minimum} or newer from https://nodejs.org.`)];
}
