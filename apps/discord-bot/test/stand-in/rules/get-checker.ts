import { type Checker, createChecker } from "./create-checker.ts";
import { readDescription } from "./read-description.ts";

const known = new Map<string, { checker: Checker; templates: readonly string[] } | undefined>();

/** The checker of a folder's description, made once a process; undefined where the folder has none. */
export function getChecker(
  folder: string | undefined,
): { checker: Checker; templates: readonly string[] } | undefined {
  const key = folder ?? "";
  if (known.has(key)) return known.get(key);
  const description = readDescription(folder);
  const made = description && { checker: createChecker(description), templates: description.templates };
  known.set(key, made);
  return made;
}
