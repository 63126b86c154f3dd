import { asObjects, asText, type Json } from "@koma/fake-chat";
import type { Rejecter } from "../http/call.ts";
import type { Content } from "../state/content.ts";
import { checkEntities, detectEntities, trim } from "../text/entities.ts";
import { MarkupError, parseHtml } from "../text/parse-html.ts";
import { checkAddress } from "./address-rules.ts";

/** The parameter names of a text and its markup. */
export type TextNames = { text: string; from: number; to: number };

/** The text of a message. */
export const messageText: TextNames = { text: "text", from: 1, to: 4096 };

/** The caption of a file. */
export const caption: TextNames = { text: "caption", from: 0, to: 1024 };

/** The text of an inline result. */
export const inlineText: TextNames = { ...messageText, text: "message_text" };

/** Parses a text with its HTML as Telegram does, and reports its problems. */
export function readText(
  reject: Rejecter,
  username: string,
  names: TextNames,
  params: Json,
): Pick<Content, "text" | "entities"> {
  const raw = asText(params[names.text]) ?? "";
  const parsed = parse(reject, names, raw, params);
  for (const problem of checkEntities(parsed.entities)) reject.blame("entities", `${names.text}: ${problem}`);
  const trimmed = trim(parsed.text, parsed.entities);
  if (trimmed.text.length < names.from) reject.refuse("length", `${names.text} is empty`);
  if (trimmed.text.length > names.to)
    reject.refuse(
      "length",
      `${names.text} has ${trimmed.text.length} characters after parsing, ${names.to} are allowed`,
    );
  for (const entity of trimmed.entities)
    if (entity.type === "text_link")
      checkAddress(reject, username, asText(entity.url) ?? "", `${names.text}: a link`);
  return { text: trimmed.text, entities: detectEntities(trimmed.text, trimmed.entities) };
}

function parse(
  reject: Rejecter,
  names: TextNames,
  raw: string,
  params: Json,
): { text: string; entities: readonly Json[] } {
  const { parse_mode: mode, caption_entities, entities = caption_entities } = params;
  if (mode === undefined) return { text: raw, entities: asObjects(entities) };
  if (mode !== "HTML") return reject.refuse("html", `the fake does not support parse_mode ${String(mode)}`);
  try {
    const { problems, ...parsed } = parseHtml(raw);
    for (const problem of problems) reject.blame("html", `${names.text}: ${problem}`);
    return parsed;
  } catch (error) {
    if (!(error instanceof MarkupError)) throw error;
    return reject.refuse("html", `${names.text}: ${error.message}`);
  }
}
