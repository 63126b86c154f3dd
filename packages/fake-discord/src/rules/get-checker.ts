import { type Checker, createChecker } from "./create-checker.ts";
import { readDescription } from "./read-description.ts";

let created: { checker: Checker; templates: readonly string[] } | undefined;

/** The checker of Discord's description, created once per process. */
export function getChecker(): { checker: Checker; templates: readonly string[] } {
  if (created === undefined) {
    const description = readDescription();
    created = { checker: createChecker(description), templates: description.templates };
  }
  return created;
}
