import { compact, type Json } from "@koma/fake-chat";
import { describeUser } from "./account.ts";
import type { Chat, MemberStatus, Message } from "./chat.ts";
import type { StoredFile } from "./content.ts";
import type { FakeState } from "./fake-state.ts";

/** The bot in the response of getMe. */
export function describeBot(state: FakeState): Json {
  const isLacking = [
    ...["can_connect_to_business", "has_main_web_app", "has_topics_enabled", "can_manage_bots"],
    ...["allows_users_to_create_topics", "supports_join_request_queries"],
  ];
  return {
    ...describeUser(state.bot),
    can_join_groups: true,
    can_read_all_group_messages: !state.settings.hasPrivacyMode,
    supports_guest_queries: true,
    supports_inline_queries: true,
    ...Object.fromEntries(isLacking.map((name) => [name, false])),
  };
}

/** A chat in the Bot API's format. */
export function describeChat(state: FakeState, { id, isForum, kind, title }: Chat): Json {
  if (kind === "private")
    return compact({ id, type: kind, first_name: title, username: state.users.get(id)?.username });
  return compact({ id, type: kind, title, is_forum: isForum || undefined });
}

/** A member in the Bot API's format. */
export function describeMember(state: FakeState, userId: number, status: MemberStatus): Json {
  const user = describeUser(state.getUser(userId));
  if (status === "creator") return { status, user, is_anonymous: false };
  if (status !== "administrator") return { status, user };
  const rights = [
    ...["manage_chat", "delete_messages", "manage_video_chats", "restrict_members", "change_info"],
    ...["invite_users", "pin_messages"],
  ];
  const without = ["promote_members", "post_stories", "edit_stories", "delete_stories"];
  return {
    status,
    user,
    can_be_edited: false,
    is_anonymous: false,
    ...Object.fromEntries(rights.map((right) => [`can_${right}`, true])),
    ...Object.fromEntries(without.map((right) => [`can_${right}`, false])),
  };
}

/** A message in the Bot API's format; the message that it replies to has no reply of its own. */
export function describeMessage(state: FakeState, message: Message, isInner = false): Json {
  const { author, chat, guestOf, replyTo, topicId } = message;
  const caller = guestOf === undefined ? undefined : state.users.get(guestOf);
  return compact({
    message_id: message.id,
    from: describeUser(author),
    chat: describeChat(state, chat),
    date: message.date,
    edit_date: message.editDate,
    message_thread_id: topicId,
    is_topic_message: topicId === undefined ? undefined : true,
    forward_origin: message.forwardOrigin,
    reply_to_message: isInner ? undefined : replyTo && describeMessage(state, replyTo, true),
    external_reply: message.externalReply,
    media_group_id: message.albumId,
    via_bot: message.isViaBot ? describeUser(state.bot) : undefined,
    guest_query_id: message.guestQueryId,
    guest_bot_caller_user: caller && describeUser(caller),
    ...(message.service ?? describeContent(message)),
  });
}

function describeContent({ content }: Message): Json {
  const { media, text } = content;
  const entities = content.entities.length > 0 ? content.entities : undefined;
  const reply_markup = content.keyboard.length > 0 ? { inline_keyboard: content.keyboard } : undefined;
  if (!media) return { text, entities, link_preview_options: content.linkPreview, reply_markup };
  return {
    ...describeMedia(media),
    caption: text || undefined,
    caption_entities: entities,
    has_media_spoiler: content.hasSpoiler || undefined,
    reply_markup,
  };
}

/** The field of a message for this file. */
export function describeMedia(file: StoredFile): Json {
  if (file.kind === "photo") return { photo: file.sizes.map(describeSize) };
  // An animation has a document field too, for compatibility with old bots.
  const document = file.kind === "animation" ? { document: describeFile({ ...file, kind: "document" }) } : {};
  return { [file.kind]: describeFile(file), ...document };
}

function describeFile(file: StoredFile): Json {
  const { width = 320, height = 240, sticker, mimeType: mime_type } = file;
  const duration = 1;
  const base = { ...identify(file), thumbnail: file.thumbnail && describeSize(file.thumbnail) };
  const named = { file_name: file.name, mime_type };
  switch (file.kind) {
    case "video_note":
      return compact({ ...base, length: width, duration });
    case "voice":
      return compact({ ...identify(file), mime_type, duration });
    case "document":
      return compact({ ...base, ...named });
    case "sticker":
      return compact({
        ...base,
        type: "regular",
        width,
        height,
        is_animated: sticker?.isAnimated ?? false,
        is_video: sticker?.isVideo ?? false,
        set_name: "koma_stickers",
      });
    default:
      return compact({ ...base, ...named, width, height, duration });
  }
}

function describeSize(file: StoredFile): Json {
  return { ...identify(file), width: file.width ?? 1, height: file.height ?? 1 };
}

function identify({ id, isSizeUntold, size, uniqueId }: StoredFile): Json {
  return { file_id: id, file_unique_id: uniqueId, file_size: isSizeUntold ? undefined : size };
}
