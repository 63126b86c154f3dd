import { asObjects, asText, type Json } from "@koma/fake-chat";
import { listMediaAddresses } from "../describe/list-components.ts";
import {
  checkDraft,
  checkFileNames,
  checkMessageBody,
  doubtMentions,
  isComponentsV2,
  type MessageWay,
} from "../rules/message-rules.ts";
import type { Channel, Message } from "../state/channels.ts";
import { uploadLimitBytes } from "../state/defaults.ts";
import type { FakeState } from "../state/fake-state.ts";
import { findPings, type Messages } from "../state/messages.ts";
import type { OwnFile, StoredFile } from "../types.ts";
import { type Call, describeCall } from "./call.ts";
import { DiscordProblem, invalidForm } from "./problems.ts";

/**
 * Parses a message of the bot: validates it by every rule, and hosts its files. `before` is the edited
 * message.
 */
export function createWriter(state: FakeState, messages: Messages) {
  return function write(
    call: Call,
    body: Json,
    options: {
      way: MessageWay;
      channel: Channel;
      before?: Message;
      repliedTo?: string | undefined;
      isEphemeral?: boolean;
    },
  ): Pick<Message, "content" | "components" | "flags" | "files" | "pings" | "nonce"> {
    const { before, way } = options;
    const size = call.files.reduce((sum, file) => sum + file.bytes.length, 0);
    if (size > uploadLimitBytes) throw new DiscordProblem(40005);
    const { files, problems } = readFiles(call, body, before?.files ?? [], (file) =>
      messages.host(options.channel.id, file, options.isEphemeral),
    );
    const flags = typeof body.flags === "number" ? body.flags : 0;
    const written = {
      content: body.content === undefined ? (before?.content ?? "") : (asText(body.content) ?? ""),
      components: body.components === undefined ? (before?.components ?? []) : asObjects(body.components),
      flags:
        (before === undefined ? flags : before.flags | (flags & (4 | 32768))) |
        (options.isEphemeral ? 64 : 0),
      files,
    };
    const wrong = [
      ...problems,
      ...checkFileNames(call.files),
      ...checkMessageBody(body, way, before?.isComponentsV2 ?? false),
      ...checkDraft(written, body),
    ];
    const where = describeCall(call);
    state.violations.push(...wrong.map((problem) => ({ rule: ruleOf(problem), where, problem })));
    const doubts = [...(before ? [] : doubtMentions(written, body)), ...warnAboutFiles(written)];
    state.warnings.push(...doubts.map((problem) => ({ rule: "doubt", where, problem })));
    if (wrong.includes("an empty message")) throw new DiscordProblem(50006);
    if (wrong.length > 0) throw invalidForm(wrong);
    return {
      ...written,
      pings: findPings(written.content, written.components, body.allowed_mentions, options.repliedTo),
      nonce: typeof body.nonce === "string" || typeof body.nonce === "number" ? body.nonce : undefined,
    };
  };
}

/** See `createWriter`. */
export type Writer = ReturnType<typeof createWriter>;

function readFiles(
  call: Call,
  body: Json,
  existing: readonly StoredFile[],
  host: (file: OwnFile) => StoredFile,
): { files: readonly StoredFile[]; problems: readonly string[] } {
  const listed = Array.isArray(body.attachments) ? asObjects(body.attachments) : undefined;
  const stored =
    listed === undefined ? existing : existing.filter((file) => listed.some(({ id }) => id === file.id));
  const uploaded = call.files.map((file) => {
    const entry = listed?.find(({ id }) => String(id) === String(file.index));
    return host({
      name: asText(entry?.filename) ?? file.name,
      bytes: file.bytes,
      description: asText(entry?.description) ?? "",
    });
  });
  const known = new Set([...existing.map(({ id }) => id), ...call.files.map(({ index }) => String(index))]);
  const unknown = (listed ?? []).filter(({ id }) => !known.has(String(id)));
  const unlisted =
    listed === undefined
      ? []
      : call.files.filter(({ index }) => !listed.some(({ id }) => String(id) === String(index)));
  const files = [...stored, ...uploaded];
  return {
    files,
    problems: [
      ...unknown.map(({ id }) => `attachments: ${String(id)} is neither an uploaded nor an existing file`),
      ...unlisted.map(({ index }) => `files[${index}] is not among the attachments`),
      ...(files.length > 10 ? [`${files.length} files, at most 10`] : []),
    ],
  };
}

/** Files that no component of a message shows are invisible to users. */
function warnAboutFiles(written: {
  components: readonly Json[];
  files: readonly StoredFile[];
  flags: number;
}): readonly string[] {
  if (!isComponentsV2(written.flags)) return [];
  const shown = new Set(listMediaAddresses(written.components));
  return written.files
    .filter(({ name }) => !shown.has(`attachment://${name}`))
    .map(({ name }) => `file ${name} is shown by no component`);
}

function ruleOf(problem: string): string {
  return /attachment|file/.test(problem) ? "attachment" : "components";
}
