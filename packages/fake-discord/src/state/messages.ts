import { asObject, asText, type Json, mimeTypeOf, probe } from "@koma/fake-chat";
import { listComponents } from "../describe/describe-components.ts";
import type { Sessions } from "../gateway/sessions.ts";
import type { FakeState, StoredFile, StoredMessage } from "./fake-state.ts";

/** The fields of a new message besides the defaults. */
export type NewMessage = Pick<StoredMessage, "channelId" | "authorId"> & Partial<StoredMessage>;

/** Writes, edits and deletes messages, and sends the events to the bot. */
export function createMessages(state: FakeState, sessions: Sessions) {
  return {
    create(fields: NewMessage): StoredMessage {
      const message: StoredMessage = {
        id: state.createId(),
        type: 0,
        content: "",
        embeds: [],
        components: [],
        flags: 0,
        files: [],
        createdAt: Date.now(),
        editedAt: undefined,
        visibleTo: undefined,
        isThinking: false,
        isDeleted: false,
        editCount: 0,
        reference: undefined,
        snapshot: undefined,
        interactionId: undefined,
        allowedMentions: undefined,
        nonce: undefined,
        pings: [],
        ...fields,
      };
      state.messages.set(message.id, message);
      sessions.messageCreated(message);
      state.announce();
      return message;
    },

    /** Edits a message; the replacement of "thinking" does not count as an edit. */
    edit(message: StoredMessage, changes: Partial<StoredMessage>) {
      const wasThinking = message.isThinking;
      Object.assign(message, changes, { isThinking: false });
      message.editedAt = Date.now();
      if (!wasThinking) message.editCount += 1;
      sessions.messageUpdated(message);
      state.announce();
    },

    delete(message: StoredMessage) {
      message.isDeleted = true;
      sessions.messageDeleted(message);
      state.announce();
    },

    /** Hosts a file. */
    host(
      channelId: string,
      file: { name: string; bytes: Uint8Array; description?: string | undefined },
      isEphemeral = false,
    ): StoredFile {
      const stored: StoredFile = {
        id: state.createId(),
        channelId,
        name: file.name.replaceAll(/[^A-Za-z0-9._-]/g, "_"),
        contentType: mimeTypeOf(file.name),
        bytes: file.bytes,
        description: file.description,
        size: probe(file.bytes).size,
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
