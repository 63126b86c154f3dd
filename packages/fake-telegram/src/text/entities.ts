import { asNumber, asText, type Json } from "@koma/fake-chat";
import type { MessageEntity } from "grammy/types";

const flexible = ["bold", "italic", "underline", "strikethrough", "spoiler"];

type Range = { type: string; from: number; to: number };

/** The problems of the entities of a text. */
export function checkEntities(entities: readonly Json[]): readonly string[] {
  const ranges = entities.map(rangeOf);
  const together = ranges.flatMap((one, index) =>
    ranges.slice(index + 1).flatMap((other) => checkPair(one, other) ?? []),
  );
  const many = entities.length > 100 ? [`has ${entities.length} entities, Telegram keeps 100`] : [];
  return [...together, ...many];
}

/** Trims the text as Telegram does, and keeps its entities in place. */
export function trim(text: string, entities: readonly Json[]): { text: string; entities: readonly Json[] } {
  const trimmed = text.trim();
  const start = text.length - text.trimStart().length;
  const moved = entities.flatMap((entity) => {
    const { from, to } = rangeOf(entity);
    const offset = Math.max(0, from - start);
    const length = Math.min(trimmed.length, to - start) - offset;
    return length > 0 ? [{ ...entity, offset, length }] : [];
  });
  return { text: trimmed, entities: sortEntities(moved) };
}

/** Sorted by position, the longer first. */
function sortEntities(entities: readonly Json[]): readonly Json[] {
  return entities.toSorted((one, other) => {
    const first = rangeOf(one);
    const second = rangeOf(other);
    return first.from - second.from || second.to - first.to;
  });
}

const findable: readonly (readonly [string, RegExp])[] = [
  [
    "url",
    /(?:https?:\/\/|(?<![\w@.])(?:[a-z0-9-]+\.)+(?:com|net|org|moe|me|io|co|jp|tv|app|dev|example)\b)[^\s<>"]*/giu,
  ],
  ["bot_command", /(?<![\w/<>])\/[A-Za-z0-9_]{1,64}(?:@\w{3,32})?(?![\w/])/gu],
  ["mention", /(?<![\w`@])@[A-Za-z]\w{2,31}(?!\w)/gu],
];

/**
 * Commands, mentions and addresses that Telegram detects in a text, outside of existing entities.
 */
export function detectEntities(text: string, params: readonly Json[]): readonly MessageEntity[] {
  const taken = params.filter(({ type }) => !flexible.includes(String(type))).map(rangeOf);
  const found: Json[] = [];
  for (const [type, pattern] of findable)
    for (const match of text.matchAll(pattern)) {
      const value = type === "url" ? trimAddress(match[0]) : match[0];
      const range = { type, from: match.index, to: match.index + value.length };
      if (taken.some((other) => other.from < range.to && range.from < other.to)) continue;
      taken.push(range);
      found.push({ type, offset: range.from, length: value.length });
    }
  return sortEntities([...params, ...found]) as unknown as readonly MessageEntity[];
}

function checkPair(one: Range, other: Range): string | undefined {
  if (one.to <= other.from || other.to <= one.from) return undefined;
  const names = `${one.type} ${one.from}–${one.to} and ${other.type} ${other.from}–${other.to}`;
  if (one.type === "code" || other.type === "code") return `${names}: nothing may be inside or around code`;
  return one.type === other.type ? `${names}: the same entity twice` : undefined;
}

function trimAddress(address: string): string {
  return address.replace(/[.,:;!?'")\]]+$/u, "");
}

function rangeOf(entity: Json): Range {
  const from = asNumber(entity.offset) ?? -1;
  return { type: asText(entity.type) ?? "", from, to: from + (asNumber(entity.length) ?? 0) };
}
