import { asText, type Json } from "@koma/fake-chat";
import type { Call, Handler } from "../http/call.ts";
import { describeMessage } from "../state/describe.ts";
import type { FakeState } from "../state/fake-state.ts";
import type { Messages } from "../state/messages.ts";
import type { Chat, Content, Denial, FileKind, MessageFields } from "../types.ts";
import type { Contents } from "./contents.ts";
import type { MediaReader } from "./media.ts";
import { ensureAllowed, findChat, readReply, readTopic } from "./targets.ts";

/** The rights that files need. */
export const needs: Readonly<Partial<Record<FileKind, Denial>>> = {
  photo: "photos",
  video: "videos",
  animation: "other",
};

/** The methods that send new messages. */
export function createSending(
  state: FakeState,
  parts: { messages: Messages; contents: Contents; media: MediaReader },
): Readonly<Record<string, Handler>> {
  const { messages, contents, media } = parts;

  const open = (call: Call, need: Denial) => {
    const chat = findChat(state, call);
    ensureAllowed(state, chat, need);
    const replyTo = readReply(state, chat, call);
    return { chat, fields: { topicId: readTopic(chat, call, replyTo), replyTo } };
  };

  const write = (chat: Chat, content: Content, fields: Partial<MessageFields>) =>
    describeMessage(state, messages.create(chat, state.bot, content, fields));

  const sendFile =
    (kind: FileKind): Handler =>
    async (call) => {
      const { chat, fields } = open(call, needs[kind] ?? "send");
      const value = asText(call.parameters[kind]) ?? "";
      const content = await contents.readMedia(call, call.parameters, { kind, value });
      media.checkUploads(call);
      return write(chat, content, fields);
    };

  return {
    sendMessage(call) {
      const { chat, fields } = open(call, "send");
      return write(chat, contents.readText(call, call.parameters), fields);
    },
    sendPhoto: sendFile("photo"),
    sendVideo: sendFile("video"),
    sendAnimation: sendFile("animation"),
  };
}

/** The kind and source of an InputMedia. */
export function mediaOf(item: Json): { kind: FileKind; value: string } {
  return { kind: (asText(item.type) ?? "photo") as FileKind, value: asText(item.media) ?? "" };
}
