import { asObject, type Json } from "@koma/fake-chat";

/** A copy of an event or a response in which optional fields without a value are null. */
export function fillNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fillNulls);
  const object = asObject(value);
  if (object === undefined) return value;
  const shape = shapes.find(({ required }) => required.every((name) => object[name] !== undefined));
  const absent = shape?.optional.filter((name) => object[name] === undefined) ?? [];
  const filled: Json = Object.fromEntries(absent.map((name) => [name, null]));
  return {
    ...filled,
    ...Object.fromEntries(Object.entries(object).map(([name, one]) => [name, fillNulls(one)])),
  };
}

/** The optional fields of objects, which are recognized by their required fields. */
const shapes = [
  [
    "author channel_id content",
    "activity application application_id flags guild_id interaction member message_reference message_snapshots",
    "nonce poll position reactions referenced_message sticker_items thread webhook_id",
  ],
  [
    "application_id token type",
    "app_permissions authorizing_integration_owners attachment_size_limit context entitlements guild guild_id",
    "guild_locale locale member message user",
  ],
  ["filename proxy_url", "content_type description duration_secs ephemeral flags height title width"],
  ["username discriminator", "avatar bot global_name system"],
  ["user roles", "avatar nick premium_since"],
  ["id name type", "guild_id options parent_id resolved target_id"],
].map(([required = "", ...optional]) => ({
  required: required.split(" "),
  optional: optional.flatMap((names) => names.split(" ")),
}));
