import { asObject, type Json } from "@koma/fake-chat";
import { botApi, type Field } from "./bot-api.ts";
import { readLimits } from "./read-limits.ts";

/** A mismatch with the description. */
export type Misfit = { rule: "schema" | "unknown-field" | "length"; at: string; problem: string };

const misfit = (at: string, problem: string, rule: Misfit["rule"] = "schema"): Misfit => ({
  rule,
  at,
  problem,
});

/** The mismatches of a value with these types; empty if it matches one. */
export function checkValue(types: readonly string[], value: unknown, at: string): readonly Misfit[] {
  // The description lists albums as several array types, which mean one array of several types.
  const inner = types.flatMap((type) => /^Array of (.+)$/.exec(type)?.[1] ?? []);
  if (inner.length > 1 && Array.isArray(value))
    return value.flatMap((entry: unknown, index) => checkValue(inner, entry, `${at}[${index}]`));
  const attempts = types.flatMap((type) => {
    const subtypes = botApi.types[type]?.subtypes ?? [];
    return subtypes.length > 0 ? [checkValue(subtypes, value, at)] : [checkOne(type, value, at)];
  });
  const [closest] = attempts.toSorted((one, other) => weigh(one) - weigh(other));
  return closest ?? [];
}

/**
 * The fields of an object, or parameters of a method: required ones exist, unknown ones do not, each is
 * valid.
 */
export function checkFields(fields: readonly Field[], value: Json, at: string): readonly Misfit[] {
  const missing = fields.filter(({ name, required }) => required && value[name] === undefined);
  const names = new Set(fields.map(({ name }) => name));
  const unknown = Object.keys(value).filter((name) => !names.has(name));
  return [
    ...missing.map(({ name }) => misfit(join(at, name), "is required")),
    ...unknown.map((name) => misfit(join(at, name), "is not in the Bot API", "unknown-field")),
    ...fields.flatMap((field) => {
      const params = value[field.name];
      if (params === undefined) return [];
      const found = checkValue(field.types, params, join(at, field.name));
      return found.length > 0 ? found : checkLimits(field, params, join(at, field.name));
    }),
  ];
}

function checkOne(type: string, value: unknown, at: string): readonly Misfit[] {
  const inner = /^Array of (.+)$/.exec(type)?.[1];
  if (inner !== undefined)
    return Array.isArray(value)
      ? value.flatMap((entry: unknown, index) => checkValue([inner], entry, `${at}[${index}]`))
      : [misfit(at, "should be an array")];
  const isPlain = plain[type]?.(value);
  if (isPlain !== undefined) return isPlain ? [] : [misfit(at, `should be of type ${type}`)];
  const fields = botApi.types[type]?.fields ?? [];
  const object = asObject(value);
  return object ? checkFields(fields, object, at) : [misfit(at, `should be an object ${type}`)];
}

const plain: Readonly<Record<string, (value: unknown) => boolean>> = {
  String: (value) => typeof value === "string",
  Integer: (value) => Number.isSafeInteger(value),
  Float: (value) => typeof value === "number" && Number.isFinite(value),
  Boolean: (value) => typeof value === "boolean",
  // A file is sent separately; its parameter contains a reference.
  InputFile: (value) => typeof value === "string",
};

function checkLimits(field: Field, value: unknown, at: string): readonly Misfit[] {
  const { values, characters, bytes, range, pattern } = readLimits(field);
  const found: Misfit[] = [];
  const outside = (size: number, limit: { from: number; to: number } | undefined, unit: string) => {
    if (limit && (size < limit.from || size > limit.to))
      found.push(misfit(at, `has ${size} ${unit}, ${limit.from} to ${limit.to} are allowed`, "length"));
  };
  if (typeof value === "string") {
    if (values && !values.includes(value))
      found.push(misfit(at, `"${value}" is none of ${values.join(", ")}`));
    outside(value.length, characters, "characters");
    outside(Buffer.byteLength(value), bytes, "bytes");
    if (pattern && !pattern.test(value))
      found.push(misfit(at, "has characters beyond A-Z, a-z, 0-9, _ and -"));
  }
  if (typeof value === "number" && range && (value < range.from || value > range.to))
    found.push(misfit(at, `is ${value}, ${range.from} to ${range.to} are allowed`, "length"));
  if (Array.isArray(value)) outside(value.length, range, "items");
  return found;
}

/** A wrong `type` has the highest weight, so that the errors are those of the intended type. */
function weigh(misfits: readonly Misfit[]): number {
  const isOther = misfits.some(
    ({ at, problem }) => /\.(type|status|source)$/.test(at) && /none of|required/.test(problem),
  );
  return misfits.length + (isOther ? 1000 : 0);
}

function join(at: string, name: string): string {
  return at === "" ? name : `${at}.${name}`;
}
