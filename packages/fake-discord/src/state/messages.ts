import { asObject, asObjects, asText, type Json, mimeTypeOf } from "@koma/fake-chat";
import { findAttached, isSelect, listComponents, listMediaAddresses } from "../describe/components.ts";
import type { Sessions } from "../gateway/sessions.ts";
import type { Message, MessageFields, OwnFile, StoredFile } from "../types.ts";
import type { FakeState } from "./fake-state.ts";
import { seeButton, seeSelect } from "./seen.ts";

/** Writes, edits and deletes messages, and sends the events to the bot. */
export function createMessages(state: FakeState, sessions: Sessions) {
  return {
    create(fields: Pick<MessageFields, "channel" | "author"> & Partial<MessageFields>): Message {
      const message = createMessage(state, fields);
      state.messages.set(message.id, message);
      sessions.sendMessage("MESSAGE_CREATE", message);
      state.announce();
      return message;
    },

    edit(message: Message, changes: Partial<MessageFields>) {
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

function createMessage(
  state: FakeState,
  fields: Pick<MessageFields, "channel" | "author"> & Partial<MessageFields>,
): Message {
  const own: Message = {
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
    reference: undefined,
    snapshot: undefined,
    interaction: undefined,
    nonce: undefined,
    pings: [],
    ...fields,
    get text() {
      const texts = listComponents(own.components).map(({ content }) => asText(content) ?? "");
      return [own.content, ...texts].filter(Boolean).join("\n");
    },
    get buttons() {
      return listComponents(own.components)
        .filter(({ type }) => type === 2)
        .map(seeButton);
    },
    get selects() {
      return listComponents(own.components).filter(isSelect).map(seeSelect);
    },
    get media() {
      return listMedia(own);
    },
    get isEphemeral() {
      return own.visibleTo !== undefined;
    },
    get isComponentsV2() {
      return (own.flags & (1 << 15)) !== 0;
    },
    get referenceId() {
      return own.reference?.message.id;
    },
    get interactionId() {
      return own.interaction?.id;
    },
    button(label) {
      const isMeant = (button: Message["buttons"][number]) =>
        typeof label === "string"
          ? button.label === label || button.customId === label
          : label.test(button.label);
      const found = own.buttons.find(isMeant);
      if (found) return found;
      const there = own.buttons.map((one) => one.label || one.customId).join(", ");
      throw new Error(`No button ${String(label)}; there are: ${there}`);
    },
  };
  return own;
}

function listMedia({ components, files }: Message): Message["media"] {
  const see = (address: string, isHidden: boolean) => ({
    isSpoiler: isHidden || (findAttached(address, files)?.name.startsWith("SPOILER_") ?? false),
  });
  const inside = (all: readonly Json[], isHidden: boolean): Message["media"] =>
    all.flatMap((one) => {
      const isInHidden = isHidden || (one.type === 17 && one.spoiler === true);
      const own = [one, ...asObjects(one.items)].flatMap(({ media, spoiler }) =>
        listMediaAddresses([{ media }]).map((address) => see(address, isHidden || spoiler === true)),
      );
      return [...own, ...inside([...asObjects(one.components), ...asObjects([one.accessory])], isInHidden)];
    });
  return inside(components, false);
}
