import { asNumber, asObject, asObjects, asText, type Json } from "@koma/fake-chat";
import { findAttached, isSelect, listComponents, listMediaAddresses } from "../describe/list-components.ts";
import type { StoredFile } from "../types.ts";

const onlyV2 = new Set([9, 10, 11, 12, 14, 17]);
// The flag is a variable because the compiler accepts it only for newer targets, while Node supports it.
const withSequences = "v";
const emojiPattern = new RegExp(
  String.raw`^(\p{RGI_Emoji}|\p{Extended_Pictographic}\uFE0F?)$`,
  withSequences,
);
const limits = { components: 40, text: 4000, rows: 5 };

/** The problems of a message's components that Discord rejects, in addition to its description. */
export function checkComponents(
  components: readonly Json[],
  context: { isV2: boolean; files: readonly StoredFile[] },
): readonly string[] {
  const all = listComponents(components);
  return [
    ...(context.isV2 ? checkWholeV2(all) : checkWholeV1(components, all)),
    ...checkUnique(all),
    ...all.flatMap(checkOne),
    ...listMediaAddresses(components).flatMap((address) => {
      if (/^https?:\/\/\S+$/.test(address) || findAttached(address, context.files)) return [];
      return [`${address} is no file of this message`];
    }),
  ];
}

/** The problems of a modal that Discord rejects, in addition to its description. */
export function checkModal(modal: Json): readonly string[] {
  const top = asObjects(modal.components);
  return [
    ...(top.length > 5 ? [`a modal has at most 5 components, not ${top.length}`] : []),
    ...checkUnique(listComponents(top)),
    ...top.filter(({ type }) => type !== 18).map(() => "the fake supports only labels in modals"),
  ];
}

function checkWholeV2(all: readonly Json[]): readonly string[] {
  const text = all.reduce((sum, one) => sum + (one.type === 10 ? (asText(one.content) ?? "").length : 0), 0);
  return [
    ...(all.length > limits.components ? [`at most ${limits.components} components, not ${all.length}`] : []),
    ...(text > limits.text ? [`at most ${limits.text} characters in all text displays, not ${text}`] : []),
  ];
}

function checkWholeV1(components: readonly Json[], all: readonly Json[]): readonly string[] {
  const foreign = all.filter(({ type }) => onlyV2.has(Number(type))).map(({ type }) => type);
  return [
    ...(foreign.length > 0 ? [`components of type ${foreign.join(", ")} need the flag 1 << 15`] : []),
    ...(components.length > limits.rows ? [`at most ${limits.rows} rows, not ${components.length}`] : []),
  ];
}

/** Duplicate names and ids in one message or modal. */
function checkUnique(all: readonly Json[]): readonly string[] {
  const twice = (kind: string, values: readonly unknown[]) =>
    [...new Set(values.filter((one, at) => one !== undefined && values.indexOf(one) !== at))].map(
      (one) => `${kind} ${String(one)} twice in one message`,
    );
  return [
    ...twice(
      "custom_id",
      all.map((one) => asText(one.custom_id)),
    ),
    ...twice(
      "component id",
      all.map((one) => asNumber(one.id) || undefined),
    ),
  ];
}

function checkOne(component: Json): readonly string[] {
  if (component.type === 1) {
    const children = asObjects(component.components);
    const isMixed = children.some(isSelect) && children.length > 1;
    return isMixed ? ["a row has one select and no other component"] : [];
  }
  if (component.type === 2) return checkButton(component);
  if (component.type === 3) return checkSelect(component);
  if (component.type === 13) return ["the fake supports no file components"];
  const isEmpty = component.type === 10 && (asText(component.content) ?? "").trim() === "";
  return isEmpty ? ["an empty text display"] : [];
}

/** The builders of discord.js reject a button without a label, an address or an id, and one with both. */
function checkButton({ custom_id, emoji, label }: Json): readonly string[] {
  const shown = asObject(emoji);
  if (!shown || shown.id || emojiPattern.test(String(shown.name))) return [];
  return [`button ${asText(label) ?? asText(custom_id) ?? ""}: ${String(shown.name)} is no emoji`];
}

/** The problems of a select menu's options. */
function checkSelect(select: Json): readonly string[] {
  const options = asObjects(select.options);
  const [least, most] = [asNumber(select.min_values) ?? 1, asNumber(select.max_values) ?? 1];
  const problems = {
    "a value twice": new Set(options.map(({ value }) => value)).size !== options.length,
    [`${least} to ${most} of ${options.length} options`]: least > most || most > options.length,
    "more defaults than may be chosen": options.filter((one) => one.default === true).length > most,
  };
  const name = `select ${asText(select.custom_id) ?? ""}`;
  return Object.entries(problems).flatMap(([problem, isThere]) => (isThere ? [`${name}: ${problem}`] : []));
}
