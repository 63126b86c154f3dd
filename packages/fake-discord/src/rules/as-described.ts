import { asObject, type Json } from "@koma/fake-chat";

/**
 * Adjusts a value in the two places where Discord's responses differ from its description: texts as codes
 * inside `errors`, and 1 as the type of a forwarding reference.
 */
export function asDescribed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asDescribed);
  const fields = asObject(value);
  if (fields === undefined) return value;
  const isProblem = typeof fields.code === "number" && typeof fields.message === "string";
  const stored = Object.entries(fields).filter(
    ([key, inner]) => inner !== undefined && !(isProblem && key === "errors"),
  );
  return Object.fromEntries(
    stored.map(([key, inner]) => [
      key,
      key === "message_reference" ? asReply(asObject(inner)) : asDescribed(inner),
    ]),
  );
}

function asReply(reference: Json | undefined): Json | undefined {
  return reference?.type === 1 ? { ...reference, type: 0 } : reference;
}
