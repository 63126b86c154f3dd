import type { Judge } from "../http/problems.ts";
import { asObjects, asText, type Json } from "../state/json.ts";
import { checkEntities, detectEntities, trim } from "../text/entities.ts";
import { MarkupError, parseHtml } from "../text/parse-html.ts";
import { checkAddress } from "./address-rules.ts";

/** The names under which a text and its markup stand. */
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

/** Reads a text with its markup as Telegram does, and says what is wrong with it. */
export function readText(
  judge: Judge,
  username: string,
  names: TextNames,
  given: Json,
): { text: string; entities: readonly Json[] } {
  const raw = asText(given[names.text]) ?? "";
  const mode = asText(given[names.mode]);
  const entities = asObjects(given[names.entities]);
  if (mode !== undefined && entities.length > 0)
    judge.blame("entities", `${names.text}: ${names.mode} and ${names.entities} at once`);
  const parsed = parse(judge, names, raw, mode, entities);
  for (const problem of checkEntities(parsed.text, parsed.entities))
    judge.blame("entities", `${names.text}: ${problem}`);
  const trimmed = trim(parsed.text, parsed.entities);
  if (trimmed.text.length < names.from)
    judge.refuse("length", `${names.text} is empty`, "Bad Request: message text is empty");
  if (trimmed.text.length > names.to)
    judge.refuse(
      "length",
      `${names.text} has ${trimmed.text.length} characters after parsing, ${names.to} are allowed`,
      `Bad Request: ${names.text === "caption" ? "message caption is too long" : "message is too long"}`,
    );
  for (const entity of trimmed.entities)
    if (entity.type === "text_link")
      checkAddress(judge, username, asText(entity.url) ?? "", `${names.text}: a link`);
  return { text: trimmed.text, entities: detectEntities(trimmed.text, trimmed.entities) };
}

function parse(
  judge: Judge,
  names: TextNames,
  raw: string,
  mode: string | undefined,
  entities: readonly Json[],
): { text: string; entities: readonly Json[] } {
  if (mode === undefined || mode === "") return { text: raw, entities };
  if (mode !== "HTML") return unread(judge, mode, raw);
  try {
    const { problems, ...parsed } = parseHtml(raw);
    for (const problem of problems) judge.blame("html", `${names.text}: ${problem}`);
    return parsed;
  } catch (error) {
    if (!(error instanceof MarkupError)) throw error;
    return judge.refuse("html", `${names.text}: ${error.message}`, error.message);
  }
}

function unread(judge: Judge, mode: string, raw: string) {
  if (!/^markdown(v2)?$/i.test(mode))
    judge.refuse("html", `parse_mode ${mode} does not exist`, "Bad Request: unsupported parse_mode");
  judge.blame("html", `parse_mode ${mode} is not read by the stand-in: use HTML or entities`);
  return { text: raw, entities: [] };
}
