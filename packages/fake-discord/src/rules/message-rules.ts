import { asText, type Json } from "@koma/fake-chat";
import { listComponents } from "../describe/list-components.ts";
import type { StoredFile } from "../types.ts";
import { checkComponents } from "./component-rules.ts";

const flagNames: Readonly<Record<number, string>> = { 64: "EPHEMERAL", 32768: "IS_COMPONENTS_V2" };

/** Contents that the bot does not send. */
const unused = ["embeds", "sticker_ids", "poll"];

/** Whether a message consists of components. */
export function isComponentsV2(flags: number): boolean {
  return (flags & 32768) !== 0;
}

/** The kind of message request, which decides the accepted flags. */
export type MessageWay = "channel" | "channel-edit" | "interaction" | "interaction-edit" | "deferral";

const allowedFlags: Readonly<Record<MessageWay, number>> = {
  channel: 4 | 4096 | 32768,
  "channel-edit": 4 | 32768,
  interaction: 4 | 64 | 4096 | 32768,
  "interaction-edit": 4 | 32768,
  deferral: 64,
};

/** The message after the request. */
export type MessageDraft = {
  content: string;
  components: readonly Json[];
  flags: number;
  files: readonly StoredFile[];
};

/** The problems of a message that Discord rejects, in addition to its description. */
export function checkDraft(draft: MessageDraft, body: Json): readonly string[] {
  const isV2 = isComponentsV2(draft.flags);
  return [
    ...unused
      .filter((field) => body[field] !== undefined)
      .map((field) => `${field}: not supported by the fake`),
    ...(isV2 ? checkV2(draft) : checkV1(draft)),
    ...checkComponents(draft.components, { isV2, files: draft.files }),
  ];
}

/** The problems of a body's flags that Discord rejects. */
export function checkMessageBody(body: Json, way: MessageWay, hadV2: boolean): readonly string[] {
  const flags = typeof body.flags === "number" ? body.flags : 0;
  const wrong = flags & ~allowedFlags[way];
  const isRemoving =
    way.endsWith("edit") && hadV2 && typeof body.flags === "number" && !isComponentsV2(flags);
  return [
    ...(wrong ? [`flags ${flags}: ${flagNames[wrong] ?? wrong} is not accepted here`] : []),
    ...(isRemoving ? ["flags: IS_COMPONENTS_V2 cannot be removed"] : []),
  ];
}

/** Warns about a user's text or a reply without `allowed_mentions`. */
export function doubtMentions(draft: MessageDraft, body: Json): readonly string[] {
  if (body.allowed_mentions !== undefined) return [];
  const texts = [draft.content, ...listComponents(draft.components).map((one) => asText(one.content) ?? "")];
  const couldPing = texts.some((text) => /@everyone|@here|<@/.test(text));
  return couldPing || body.message_reference !== undefined
    ? ["no allowed_mentions, but users could be notified"]
    : [];
}

/** File names that Discord would change, so that `attachment://` would not resolve. */
export function checkFileNames(files: readonly { name: string }[]): readonly string[] {
  const names = files.map(({ name }) => name);
  return [
    ...names
      .filter((name) => !/^[A-Za-z0-9._-]{1,255}$/.test(name))
      .map((name) => `file name "${name}" will be changed`),
    ...names.filter((name, at) => names.indexOf(name) !== at).map((name) => `file name "${name}" twice`),
  ];
}

function checkV2(draft: MessageDraft): readonly string[] {
  return [
    ...(draft.content === "" ? [] : ["content beside components V2"]),
    ...(draft.components.length === 0 ? ["components V2 without components"] : []),
  ];
}

function checkV1({ content, ...draft }: MessageDraft): readonly string[] {
  const isEmpty = content === "" && draft.files.length === 0 && draft.components.length === 0;
  return [
    ...(isEmpty ? ["an empty message"] : []),
    ...(content.length > 2000 ? [`content of ${content.length} characters, at most 2000`] : []),
  ];
}
