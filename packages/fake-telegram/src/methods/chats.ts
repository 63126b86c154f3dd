import { asNumber, asObjects, asText } from "@koma/fake-chat";
import { deny, type Handlers } from "../http/call.ts";
import { limits } from "../state/defaults.ts";
import { describeMember } from "../state/describe.ts";
import type { FakeState } from "../state/fake-state.ts";
import { ensureAllowed, findChat, readTopic } from "./targets.ts";

/** The methods about chats, their members and their files. */
export function createChatMethods(state: FakeState): Handlers {
  return {
    getChatMember(call) {
      const chat = findChat(state, call);
      if (chat.kind !== "private") ensureAllowed(state, chat);
      const userId = asNumber(call.parameters.user_id) ?? 0;
      if (!state.users.has(userId)) deny("Bad Request: member not found");
      return describeMember(state, userId, chat.members.get(userId) ?? "left");
    },

    sendChatAction(call) {
      const chat = findChat(state, call);
      ensureAllowed(state, chat);
      const action = asText(call.parameters.action) ?? "";
      if (action !== "typing") call.reject.refuse("schema", `the fake knows no action "${action}"`);
      readTopic(chat, call, undefined);
      return true;
    },

    setMessageReaction(call) {
      const chat = findChat(state, call);
      ensureAllowed(state, chat, "reactions");
      const message = chat.find(call.parameters.message_id);
      if (!message) return deny("Bad Request: message to react not found");
      const reactions = asObjects(call.parameters.reaction);
      if (reactions.length > 1) call.reject.refuse("reaction", "bots set one reaction");
      if (reactions.some(({ type }) => type !== "emoji"))
        call.reject.refuse("reaction", "bots react with emoji here");
      message.reactions = reactions.map(({ emoji }) => String(emoji));
      state.announce();
      return true;
    },

    getFile(call) {
      const id = asText(call.parameters.file_id) ?? "";
      const file = state.files.get(id);
      if (!file) return call.reject.refuse("file-id", `"${id.slice(0, 40)}" is no file id`);
      if (file.size > limits.downloadBytes) deny("Bad Request: file is too big");
      file.expiresAt = Date.now() + limits.fileTtlMs;
      return { file_id: file.id, file_unique_id: file.uniqueId, file_size: file.size, file_path: file.path };
    },
  };
}
