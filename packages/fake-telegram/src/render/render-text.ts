import { escapeHtml } from "@koma/fake-chat";
import type { MessageEntity } from "grammy/types";

/** A text with its entities as HTML. Entities are nested or separate, so tags never overlap. */
export function renderText(text: string, entities: readonly MessageEntity[]): string {
  const cuts = new Set([0, text.length]);
  for (const { offset, length } of entities) {
    cuts.add(offset);
    cuts.add(offset + length);
  }
  const positions = [...cuts]
    .filter((at) => at >= 0 && at <= text.length)
    .toSorted((one, other) => one - other);
  const byLength = entities.toSorted((one, other) => other.length - one.length);
  return positions
    .map((at, index) => {
      const closed = byLength.toReversed().filter((one) => one.offset + one.length === at);
      const opened = byLength.filter((one) => one.offset === at && one.length > 0);
      return `${closed.map(close).join("")}${opened.map((one) => open(one, text)).join("")}${escapeHtml(text.slice(at, positions[index + 1] ?? at))}`;
    })
    .join("");
}

const tags: Readonly<Partial<Record<MessageEntity["type"], string>>> = {
  bold: "b",
  italic: "i",
  underline: "u",
  strikethrough: "s",
  code: "code",
  pre: "pre",
  blockquote: "blockquote",
  expandable_blockquote: "blockquote",
  custom_emoji: "span",
  date_time: "span",
};

function open(entity: MessageEntity, text: string): string {
  if (entity.type === "spoiler") return '<span class="spoiler">';
  const tag = tags[entity.type];
  if (tag) return `<${tag}>`;
  const entityContent = text.slice(entity.offset, entity.offset + entity.length);
  return `<a href="${escapeHtml(entity.type === "text_link" ? entity.url : entityContent)}">`;
}

function close(entity: MessageEntity): string {
  if (entity.type === "spoiler") return "</span>";
  return `</${tags[entity.type] ?? "a"}>`;
}
