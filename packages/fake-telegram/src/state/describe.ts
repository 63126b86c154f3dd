import { compact, getFrom, type Json } from "@koma/fake-chat";
import type { FakeState } from "./fake-state.ts";
import type { MemberStatus, StoredChat, StoredFile, StoredMessage, StoredUser } from "./stored.ts";

/** A user or bot in the Bot API's format. */
export function describeUser(user: StoredUser): Json {
  return compact({
    id: user.id,
    is_bot: user.isBot,
    first_name: user.name,
    username: user.username,
    language_code: user.language,
    is_premium: user.isPremium || undefined,
  });
}

/** The bot in the response of getMe. */
export function describeBot(state: FakeState): Json {
  const { hasPrivacyMode, hasGuestMode, hasInlineMode } = state.settings;
  return {
    ...describeUser(state.bot),
    can_join_groups: true,
    can_read_all_group_messages: !hasPrivacyMode,
    supports_guest_queries: hasGuestMode,
    supports_inline_queries: hasInlineMode,
    can_connect_to_business: false,
    has_main_web_app: false,
    has_topics_enabled: false,
    allows_users_to_create_topics: false,
    can_manage_bots: false,
    supports_join_request_queries: false,
  };
}

/** A chat in the Bot API's format. */
export function describeChat(state: FakeState, chat: StoredChat): Json {
  if (chat.kind !== "private")
    return compact({
      id: chat.id,
      type: chat.kind,
      title: chat.title,
      username: chat.username,
      is_forum: chat.isForum || undefined,
    });
  const person = state.users.get(chat.id);
  return compact({
    id: chat.id,
    type: "private",
    first_name: person?.name ?? chat.title,
    username: person?.username,
  });
}

/** A member in the Bot API's format. */
export function describeMember(state: FakeState, userId: number, status: MemberStatus): Json {
  const user = describeUser(getFrom(state.users, userId, "user"));
  if (status === "creator") return { status, user, is_anonymous: false };
  if (status === "kicked") return { status, user, until_date: 0 };
  if (status !== "administrator") return { status, user };
  const rights = [
    "manage_chat",
    "delete_messages",
    "manage_video_chats",
    "restrict_members",
    "change_info",
    "invite_users",
    "pin_messages",
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
export function describeMessage(state: FakeState, message: StoredMessage, isInner = false): Json {
  const chat = getFrom(state.chats, message.chatId, "chat");
  const author = getFrom(state.users, message.authorId, "user");
  const repliedTo =
    isInner || message.replyToId === undefined ? undefined : findMessage(chat, message.replyToId, true);
  const caller = message.guestOf === undefined ? undefined : state.users.get(message.guestOf);
  return compact({
    message_id: message.id,
    from: describeUser(author),
    chat: describeChat(state, chat),
    date: message.date,
    edit_date: message.editDate,
    message_thread_id: message.topicId,
    is_topic_message: message.topicId === undefined ? undefined : true,
    forward_origin: message.forwardOrigin,
    reply_to_message: repliedTo && describeMessage(state, repliedTo, true),
    external_reply: message.externalReply,
    quote: message.quote,
    media_group_id: message.albumId,
    via_bot: message.isViaBot ? describeUser(state.bot) : undefined,
    guest_query_id: message.guestQueryId,
    guest_bot_caller_user: caller && describeUser(caller),
    has_protected_content: message.isProtected || undefined,
    ...message.service,
    ...describeContent(message),
  });
}

/** The message with this id; deleted ones on request. */
export function findMessage(chat: StoredChat, id: number, isAny = false): StoredMessage | undefined {
  return chat.messages.find((one) => one.id === id && (isAny || !one.isDeleted));
}

function describeContent(message: StoredMessage): Json {
  const { content, service } = message;
  if (service) return {};
  const { media, entities } = content;
  const marks = entities.length > 0 ? entities : undefined;
  const keyboard = content.keyboard && { inline_keyboard: content.keyboard };
  if (!media)
    return {
      text: content.text,
      entities: marks,
      link_preview_options: content.linkPreview,
      reply_markup: keyboard,
    };
  return {
    ...describeMedia(media),
    caption: content.text || undefined,
    caption_entities: marks,
    show_caption_above_media: content.isCaptionAbove || undefined,
    has_media_spoiler: content.hasSpoiler || undefined,
    reply_markup: keyboard,
  };
}

/** The field of a message for this file. */
export function describeMedia(file: StoredFile): Json {
  if (file.kind === "photo") return { photo: file.sizes.map(describeSize) };
  const described = describeFile(file);
  return file.kind === "animation"
    ? { animation: described, document: asDocument(file) }
    : { [file.kind]: described };
}

function describeFile(file: StoredFile): Json {
  const width = file.width ?? 320;
  const height = file.height ?? 240;
  const base = { ...identify(file), thumbnail: file.thumbnail && describeSize(file.thumbnail) };
  const named = { file_name: file.name, mime_type: file.mimeType };
  const duration = file.duration ?? 1;
  switch (file.kind) {
    case "video_note":
      return compact({ ...base, length: width, duration });
    case "voice":
      return compact({ ...identify(file), mime_type: file.mimeType, duration });
    case "audio":
      return compact({ ...base, ...named, duration });
    case "document":
      return compact({ ...base, ...named });
    case "sticker":
      return compact({
        ...base,
        type: "regular",
        width: file.width ?? 512,
        height: file.height ?? 512,
        is_animated: file.sticker?.isAnimated ?? false,
        is_video: file.sticker?.isVideo ?? false,
        emoji: file.sticker?.emoji,
        set_name: "koma_stickers",
      });
    default:
      return compact({ ...base, ...named, width, height, duration });
  }
}

function asDocument(file: StoredFile): Json {
  return describeFile({ ...file, kind: "document" });
}

function describeSize(file: StoredFile): Json {
  return { ...identify(file), width: file.width ?? 1, height: file.height ?? 1 };
}

function identify(file: StoredFile): Json {
  return {
    file_id: file.id,
    file_unique_id: file.uniqueId,
    file_size: file.isSizeUntold ? undefined : file.size,
  };
}
