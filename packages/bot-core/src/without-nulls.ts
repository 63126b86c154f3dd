/**
 * Removes the fields and elements that are null from a value of JSON, in place, and returns it. Compatible
 * servers of the platforms send null for optional fields, which the platforms' own servers omit.
 */
export function withoutNulls<Value>(value: Value): Value {
  if (Array.isArray(value)) {
    const left = value.filter((one) => one !== null);
    if (left.length < value.length) value.splice(0, value.length, ...left);
    for (const one of left) withoutNulls(one);
  } else if (isFields(value)) {
    for (const [name, field] of Object.entries(value)) {
      if (field === null) delete value[name];
      else withoutNulls(field);
    }
  }
  return value;
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
