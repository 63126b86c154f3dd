import { asNumber, asObject, asObjects, asText, type Json } from "@koma/fake-chat";
import { findAttached, isSelect, listComponents, listMediaAddresses } from "../describe/components.ts";
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
    ...all.flatMap((component) => checkOne(component)),
    ...checkMedia(components, context.files),
  ];
}

/** The problems of a modal that Discord rejects, in addition to its description. */
export function checkModal(modal: Json): readonly string[] {
  const top = asObjects(modal.components);
  const all = listComponents(top);
  const inLabels = new Set(top.filter(({ type }) => type === 18).map(({ component }) => component));
  return [
    ...(top.length > 5 ? [`a modal has at most 5 components, not ${top.length}`] : []),
    ...checkUnique(all),
    ...all.flatMap((one) => {
      if (one.type === 4 && !inLabels.has(one) && !asText(one.label))
        return ["a text input in a row needs a label"];
      if (one.type === 4 && inLabels.has(one) && asText(one.label))
        return ["a text input in a label has no label of its own"];
      if (isSelect(one) && one.disabled) return ["a select of a modal is never disabled"];
      return [];
    }),
    ...all.filter(({ type }) => type === 3).flatMap(checkSelect),
    ...all.filter(({ type }) => type === 4).flatMap(checkTextInput),
  ];
}

function checkTextInput(input: Json): readonly string[] {
  const [least, most] = [asNumber(input.min_length) ?? 0, asNumber(input.max_length) ?? 4000];
  const length = asText(input.value)?.length;
  const isUnfit = length !== undefined && length > 0 && (length < least || length > most);
  return least > most || isUnfit
    ? [`text input ${String(input.custom_id)}: the lengths are inconsistent`]
    : [];
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

/** Duplicate names and ids in one message or modal, and names that are too long. */
function checkUnique(all: readonly Json[]): readonly string[] {
  const names = all.flatMap((one) => asText(one.custom_id) ?? []);
  const ids = all.flatMap((one) => asNumber(one.id) || []);
  const twice = <Value>(values: readonly Value[]) => [
    ...new Set(values.filter((one, at) => values.indexOf(one) !== at)),
  ];
  return [
    ...twice(names).map((name) => `custom_id ${name} twice in one message`),
    ...twice(ids).map((id) => `component id ${id} twice in one message`),
  ];
}

function checkOne(component: Json): readonly string[] {
  switch (component.type) {
    case 1: {
      const children = asObjects(component.components);
      const isMixed = children.some(isSelect) && children.length > 1;
      return isMixed ? ["a row has one select and no other component"] : [];
    }
    case 2:
      return checkButton(component);
    case 3:
      return checkSelect(component);
    case 10:
      return (asText(component.content) ?? "").trim() === "" ? ["an empty text display"] : [];
    case 13:
      return ["the fake supports no file components"];
    default:
      return [];
  }
}

function checkButton(button: Json): readonly string[] {
  const { style } = button;
  const has = (key: string) => button[key] !== undefined && button[key] !== null;
  const name = `button ${asText(button.label) ?? asText(button.custom_id) ?? ""}`;
  const emoji = asObject(button.emoji);
  const problems: string[] = [];
  if (style === 5) {
    if (!has("url")) problems.push(`${name}: a link button needs a url`);
    if (has("custom_id")) problems.push(`${name}: a link button has no custom_id`);
    if (has("url") && !/^(https?|discord):\/\//.test(String(button.url)))
      problems.push(`${name}: url must be http(s)`);
  } else {
    if (!has("custom_id")) problems.push(`${name}: needs a custom_id`);
    if (has("url")) problems.push(`${name}: only link buttons have a url`);
  }
  if (!asText(button.label) && emoji === undefined) problems.push(`${name}: needs a label or an emoji`);
  if (emoji && !emoji.id && !isEmoji(asText(emoji.name) ?? ""))
    problems.push(`${name}: ${String(emoji.name)} is no emoji`);
  return problems;
}

/** The problems of a select menu's options. */
function checkSelect(select: Json): readonly string[] {
  const options = asObjects(select.options);
  const values = options.map(({ value }) => value);
  const [least, most] = [asNumber(select.min_values) ?? 1, asNumber(select.max_values) ?? 1];
  const name = `select ${asText(select.custom_id) ?? ""}`;
  const problems: string[] = [];
  if (new Set(values).size !== values.length) problems.push(`${name}: a value twice`);
  if (least > most || most > options.length)
    problems.push(`${name}: ${least} to ${most} of ${options.length} options`);
  if (options.filter((one) => one.default === true).length > most)
    problems.push(`${name}: more defaults than may be chosen`);
  for (const option of options) {
    const emoji = asObject(option.emoji);
    if (emoji && !emoji.id && !isEmoji(asText(emoji.name) ?? ""))
      problems.push(`${name}: ${String(emoji.name)} is no emoji`);
  }
  return problems;
}

function checkMedia(components: readonly Json[], files: readonly StoredFile[]): readonly string[] {
  return listMediaAddresses(components).flatMap((address) => {
    if (/^https?:\/\/\S+$/.test(address)) return [];
    if (!address.startsWith("attachment://")) return [`media address ${address}`];
    return findAttached(address, files) ? [] : [`${address} is no file of this message`];
  });
}

function isEmoji(text: string): boolean {
  return emojiPattern.test(text);
}
