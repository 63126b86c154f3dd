/** What a button means: a verb and its arguments, in at most 40 bytes. */
export type Target = { verb: string; values: readonly string[] };

/** Writes a target: parts of [A-Za-z0-9_-], dots between them. */
export function writeTarget(verb: string, ...values: readonly (string | number)[]): string {
  return [verb, ...values].join(".");
}

/** Reads a target; undefined for what is none. */
export function readTarget(written: string): Target | undefined {
  if (!/^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*$/.test(written) || written.length > 40) return undefined;
  const [verb = "", ...values] = written.split(".");
  return { verb, values };
}

/** Whether a target may do more for those who manage the place: only then a platform has to find out who does. */
export function needsManager(written: string): boolean {
  const target = readTarget(written);
  return target?.verb === "d" || (target?.verb === "set" && target.values[0] === "place");
}

/** Whether a target may start a search: the platform acknowledges the button before the result is there. */
export function mayTakeLong(written: string): boolean {
  const verb = readTarget(written)?.verb;
  return verb === "a" || verb === "t";
}
