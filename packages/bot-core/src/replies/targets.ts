/** The meaning of a button: a verb and its arguments, in at most 40 bytes. */
export type Target = { verb: string; values: readonly string[] };

/** Writes a target: parts of [A-Za-z0-9_-], separated by dots. */
export function writeTarget(verb: string, ...values: readonly (string | number)[]): string {
  return [verb, ...values].join(".");
}

/** Reads a target; undefined for an invalid one. */
export function readTarget(written: string): Target | undefined {
  if (!/^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*$/.test(written) || written.length > 40) return undefined;
  const [verb = "", ...values] = written.split(".");
  return { verb, values };
}

/** The result of a button that asks what the image shows; undefined for another button. */
export function readCorrectionTarget(written: string): string | undefined {
  const target = readTarget(written);
  return target?.verb === "k" && target.values.length === 1 ? target.values[0] : undefined;
}

/**
 * True if managers of the chat may use the target for more. Only then the platform has to check the
 * requester's permissions.
 */
export function needsManager(written: string): boolean {
  const target = readTarget(written);
  return target?.verb === "d" || (target?.verb === "set" && target.values[0] === "place");
}

/** True if a target can start a search: the platform acknowledges the button before the result exists. */
export function mayTakeLong(written: string): boolean {
  const verb = readTarget(written)?.verb;
  return verb === "a" || verb === "l" || verb === "t";
}
