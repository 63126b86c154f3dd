import { asObjects, asText, type Json } from "@koma/fake-chat";
import type { Call, Handler } from "../http/call.ts";
import { deny } from "../http/problems.ts";
import { describeMessage } from "../state/describe.ts";
import type { FakeState } from "../state/fake-state.ts";
import type { Messages } from "../state/messages.ts";
import type { Content, Denial, FileKind, StoredChat, StoredMessage } from "../state/stored.ts";
import type { Contents } from "./contents.ts";
import type { MediaReader } from "./media.ts";
import { ensureAllowed, findChat, readReply, readTopic } from "./targets.ts";

const needs: Readonly<Partial<Record<FileKind, Denial>>> = {
  photo: "photos",
  video: "videos",
  animation: "other",
  sticker: "other",
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
    const reply = readReply(state, chat, call);
    return { chat, fields: fieldsOf(call, chat, reply), isPrivate: chat.kind === "private" };
  };

  const write = (chat: StoredChat, content: Content, fields: Partial<StoredMessage>): StoredMessage =>
    messages.create(chat, state.bot.id, content, fields);

  const sendFile =
    (kind: FileKind, parameter: string = kind): Handler =>
    async (call) => {
      const { chat, fields, isPrivate } = open(call, needs[kind] ?? "send");
      const value = asText(call.parameters[parameter]) ?? "";
      const content = await contents.readMedia(call, call.parameters, { kind, value, isPrivate });
      media.checkUploads(call);
      return describeMessage(state, write(chat, content, fields));
    };

  return {
    sendMessage(call) {
      const { chat, fields, isPrivate } = open(call, "send");
      return describeMessage(state, write(chat, contents.readText(call, call.parameters, isPrivate), fields));
    },
    sendPhoto: sendFile("photo"),
    sendVideo: sendFile("video"),
    sendAnimation: sendFile("animation"),
    sendDocument: sendFile("document"),
    sendSticker: sendFile("sticker"),

    async sendMediaGroup(call) {
      const { chat, fields, isPrivate } = open(call, "photos");
      const items = asObjects(call.parameters.media);
      const kinds = new Set(items.map(({ type }) => String(type)));
      if (kinds.size > 1 && ["document", "audio"].some((kind) => kinds.has(kind)))
        call.reject.refuse("media", "documents and audio can only form albums of their own kind");
      if (items.length < 2 || items.length > 10) deny("Bad Request: wrong number of media in the album");
      const read: Content[] = [];
      for (const item of items)
        read.push(await contents.readMedia(call, item, { ...mediaOf(item), isPrivate }));
      media.checkUploads(call);
      const albumId = String(13_000_000_000_000_000 + state.createNumber());
      return read.map((content) => describeMessage(state, write(chat, content, { ...fields, albumId })));
    },
  };
}

/** The kind and source of an InputMedia. */
export function mediaOf(item: Json): { kind: FileKind; value: string } {
  return { kind: (asText(item.type) ?? "photo") as FileKind, value: asText(item.media) ?? "" };
}

function fieldsOf(
  call: Call,
  chat: StoredChat,
  { repliedTo, quote }: { repliedTo: StoredMessage | undefined; quote: Json | undefined },
): Partial<StoredMessage> {
  return {
    topicId: readTopic(chat, call, repliedTo),
    replyToId: repliedTo?.id,
    quote,
    isSilent: call.parameters.disable_notification === true,
    isProtected: call.parameters.protect_content === true,
  };
}
