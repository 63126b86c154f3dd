/** A JSON object whose fields are read separately. */
export type Json = Readonly<Record<string, unknown>>;

/** The value as an object, or undefined. */
export function asObject(value: unknown): Json | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
}

/** The value as a list; empty for any other value. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The objects of a list; empty for any other value. */
export function asObjects(value: unknown): readonly Json[] {
  return asList(value)
    .map(asObject)
    .filter((one) => one !== undefined);
}

/** The value as text, or undefined. */
export function asText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The value as a number, or undefined. */
export function asNumber(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** The object without fields that are undefined. */
export function compact(fields: Json): Json {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
