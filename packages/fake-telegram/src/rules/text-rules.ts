import { asObjects, asText, type Json } from "@koma/fake-chat";
import type { Rejecter } from "../http/problems.ts";
import { checkEntities, detectEntities, trim } from "../text/entities.ts";
import { MarkupError, parseHtml } from "../text/parse-html.ts";
import type { Content } from "../types.ts";
import { checkAddress } from "./address-rules.ts";

/** The parameter names of a text and its markup. */
export type TextNames = { text: string; mode: string; entities: string; from: number; to: number };

/** The text of a message. */
export const messageText: TextNames = {
  text: "text",
  mode: "parse_mode",
  entities: "entities",
  from: 1,
  to: 4096,
};

/** The caption of a file. */
export const caption: TextNames = {
  text: "caption",
  mode: "parse_mode",
  entities: "caption_entities",
  from: 0,
  to: 1024,
};

/** The text of an inline result. */
export const inlineText: TextNames = { ...messageText, text: "message_text" };

/** Parses a text with its markup as Telegram does, and reports its problems. */
export function readText(
  reject: Rejecter,
  username: string,
  names: TextNames,
  params: Json,
): Pick<Content, "text" | "entities"> {
  const raw = asText(params[names.text]) ?? "";
  const mode = asText(params[names.mode]);
  const entities = asObjects(params[names.entities]);
  if (mode !== undefined && entities.length > 0)
    reject.blame("entities", `${names.text}: ${names.mode} and ${names.entities} at once`);
  const parsed = parse(reject, names, raw, mode, entities);
  for (const problem of checkEntities(parsed.text, parsed.entities))
    reject.blame("entities", `${names.text}: ${problem}`);
  const trimmed = trim(parsed.text, parsed.entities);
  if (trimmed.text.length < names.from)
    reject.refuse("length", `${names.text} is empty`, "Bad Request: message text is empty");
  if (trimmed.text.length > names.to)
    reject.refuse(
      "length",
      `${names.text} has ${trimmed.text.length} characters after parsing, ${names.to} are allowed`,
      `Bad Request: ${names.text === "caption" ? "message caption is too long" : "message is too long"}`,
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
  mode: string | undefined,
  entities: readonly Json[],
): { text: string; entities: readonly Json[] } {
  if (mode === undefined || mode === "") return { text: raw, entities };
  if (mode !== "HTML") return unread(reject, mode, raw);
  try {
    const { problems, ...parsed } = parseHtml(raw);
    for (const problem of problems) reject.blame("html", `${names.text}: ${problem}`);
    return parsed;
  } catch (error) {
    if (!(error instanceof MarkupError)) throw error;
    return reject.refuse("html", `${names.text}: ${error.message}`, error.message);
  }
}

function unread(reject: Rejecter, mode: string, raw: string) {
  if (!/^markdown(v2)?$/i.test(mode))
    reject.refuse("html", `parse_mode ${mode} does not exist`, "Bad Request: unsupported parse_mode");
  reject.blame("html", `the fake does not support parse_mode ${mode}: use HTML or entities`);
  return { text: raw, entities: [] };
}
