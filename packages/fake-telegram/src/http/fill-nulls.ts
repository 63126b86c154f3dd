import { asObject, type Json } from "@koma/fake-chat";
import { botApi } from "../rules/bot-api.ts";

/** A copy of a value of these types in which optional fields without a value are null. */
export function fillNulls(types: readonly string[], value: unknown): unknown {
  if (Array.isArray(value)) {
    const inner = types.map((type) => type.replace(/^Array of /, ""));
    return value.map((one) => fillNulls(inner, one));
  }
  const object = asObject(value);
  const fields = object && findFields(types, object);
  if (object === undefined || fields === undefined) return value;
  const filled = fields.map(({ name, types: inner }) => [
    name,
    object[name] === undefined ? null : fillNulls(inner, object[name]),
  ]);
  return { ...object, ...Object.fromEntries(filled) };
}

/** The fields of the first type that has all fields of the value. */
function findFields(types: readonly string[], value: Json) {
  const all = types.flatMap((type) => [type, ...(botApi.types[type]?.subtypes ?? [])]);
  const known = all.map((type) => botApi.types[type]?.fields ?? []);
  return known.find((fields) =>
    Object.keys(value).every((name) => fields.some((field) => field.name === name)),
  );
}
