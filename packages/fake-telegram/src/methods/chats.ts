import { asNumber, asObjects, asText } from "@koma/fake-chat";
import type { Handler } from "../http/call.ts";
import { deny } from "../http/problems.ts";
import { describeChat, describeMember, findMessage } from "../state/describe.ts";
import type { FakeState } from "../state/fake-state.ts";
import type { MemberStatus } from "../state/stored.ts";
import { ensureAllowed, findChat, readTopic } from "./targets.ts";

const actions = [
  "typing",
  "upload_photo",
  "record_video",
  "upload_video",
  "record_voice",
  "upload_voice",
  "upload_document",
  "choose_sticker",
  "find_location",
  "record_video_note",
  "upload_video_note",
];

/** The methods about chats, their members and their files. */
export function createChatMethods(
  state: FakeState,
  parts: { leave: (chatId: number) => void },
): Readonly<Record<string, Handler>> {
  return {
    getChat(call) {
      const chat = findChat(state, call);
      if (chat.kind !== "private") ensureAllowed(state, chat);
      const gifts = [
        "unlimited_gifts",
        "limited_gifts",
        "unique_gifts",
        "premium_subscription",
        "gifts_from_channels",
      ];
      return {
        ...describeChat(state, chat),
        accent_color_id: 0,
        max_reaction_count: 11,
        accepted_gift_types: Object.fromEntries(gifts.map((name) => [name, false])),
      };
    },

    getChatMember(call) {
      const chat = findChat(state, call);
      if (chat.kind !== "private") ensureAllowed(state, chat);
      const userId = asNumber(call.parameters.user_id) ?? 0;
      if (!state.users.has(userId)) deny("Bad Request: member not found");
      return describeMember(state, userId, chat.members.get(userId) ?? "left");
    },

    getChatAdministrators(call) {
      const chat = findChat(state, call);
      if (chat.kind === "private") deny("Bad Request: there are no administrators in the private chat");
      ensureAllowed(state, chat);
      const isAdmin = (status: MemberStatus) => status === "administrator" || status === "creator";
      return [...chat.members]
        .filter(([id, status]) => isAdmin(status) && id !== state.bot.id)
        .map(([id, status]) => describeMember(state, id, status));
    },

    getChatMemberCount: (call) => findChat(state, call).members.size,

    leaveChat(call) {
      const chat = findChat(state, call);
      ensureAllowed(state, chat);
      parts.leave(chat.id);
      return true;
    },

    sendChatAction(call) {
      const chat = findChat(state, call);
      ensureAllowed(state, chat);
      const action = asText(call.parameters.action) ?? "";
      if (!actions.includes(action))
        call.reject.refuse(
          "schema",
          `there is no action "${action}"`,
          "Bad Request: wrong parameter action in request",
        );
      chat.actions.push({ action, at: Date.now(), topicId: readTopic(chat, call, undefined) });
      state.announce();
      return true;
    },

    setMessageReaction(call) {
      const chat = findChat(state, call);
      ensureAllowed(state, chat, "reactions");
      const message = findMessage(chat, asNumber(call.parameters.message_id) ?? 0);
      if (!message) return deny("Bad Request: message to react not found");
      const reactions = asObjects(call.parameters.reaction);
      if (reactions.length > 1)
        call.reject.refuse("reaction", "bots set one reaction", "Bad Request: REACTIONS_TOO_MANY");
      if (reactions.some(({ type }) => type !== "emoji"))
        call.reject.refuse("reaction", "bots react with emoji here", "Bad Request: REACTION_INVALID");
      message.reactions.set(
        state.bot.id,
        reactions.map(({ emoji }) => String(emoji)),
      );
      state.announce();
      return true;
    },

    getFile(call) {
      const id = asText(call.parameters.file_id) ?? "";
      const file = state.files.get(id);
      if (!file)
        return call.reject.refuse(
          "file-id",
          `"${id.slice(0, 40)}" is no file id`,
          "Bad Request: wrong file_id or the file is temporarily unavailable",
        );
      if (file.size > state.settings.downloadLimitBytes) deny("Bad Request: file is too big");
      file.expiresAt = Date.now() + state.settings.fileTtlMs;
      return { file_id: file.id, file_unique_id: file.uniqueId, file_size: file.size, file_path: file.path };
    },
  };
}
