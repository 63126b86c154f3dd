import { asObject, asText, type Json, mimeTypeOf } from "@koma/fake-chat";
import { listComponents } from "../describe/list-components.ts";
import type { Sessions } from "../gateway/sessions.ts";
import type { OwnFile, StoredFile } from "../types.ts";
import { Message, type MessageChanges, type NewMessage } from "./channels.ts";
import type { FakeState } from "./fake-state.ts";

/** Writes, edits and deletes messages, and sends the events to the bot. */
export function createMessages(state: FakeState, sessions: Sessions) {
  return {
    create(fields: NewMessage): Message {
      const message = new Message(state.createId(), fields);
      state.messages.set(message.id, message);
      sessions.sendMessage("MESSAGE_CREATE", message);
      state.announce();
      return message;
    },

    edit(message: Message, changes: MessageChanges) {
      Object.assign(message, changes, { isThinking: false, editedAt: Date.now() });
      sessions.sendMessage("MESSAGE_UPDATE", message);
      state.announce();
    },

    delete(message: Message) {
      message.isDeleted = true;
      sessions.sendDeletion(message);
      state.announce();
    },

    /** Hosts a file. */
    host(channelId: string, file: OwnFile, isEphemeral = false): StoredFile {
      const stored: StoredFile = {
        id: state.createId(),
        channelId,
        name: `${file.isSpoiler ? "SPOILER_" : ""}${file.name.replaceAll(/[^A-Za-z0-9._-]/g, "_")}`,
        contentType: mimeTypeOf(file.name),
        bytes: file.bytes,
        description: file.description,
        isEphemeral,
      };
      state.files.set(stored.id, stored);
      return stored;
    },
  };
}

/** See `createMessages`. */
export type Messages = ReturnType<typeof createMessages>;

/** The ids of the users whom a message notifies, limited by `allowed`. */
export function findPings(
  content: string,
  components: readonly Json[],
  allowed: unknown,
  repliedTo?: string,
): readonly string[] {
  const texts = [content, ...listComponents(components).map((one) => asText(one.content) ?? "")];
  const named = texts.flatMap((text) => [...text.matchAll(/<@!?(\d+)>/g)].flatMap((found) => found[1] ?? []));
  const rules = asObject(allowed);
  const parse = Array.isArray(rules?.parse) ? rules.parse : undefined;
  const users = Array.isArray(rules?.users) ? rules.users : [];
  const isAllowed = (id: string) => rules === undefined || parse?.includes("users") || users.includes(id);
  const isReplyPinged =
    repliedTo !== undefined &&
    rules?.replied_user !== false &&
    (rules === undefined || rules.replied_user === true);
  return [...new Set([...named.filter(isAllowed), ...(isReplyPinged ? [repliedTo] : [])])];
}
