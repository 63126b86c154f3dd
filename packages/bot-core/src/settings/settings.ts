import type { BotStore } from "@koma/database/bots";
import { isLanguage, type Language } from "@koma/messages";
import { z } from "zod";
import type { Chat, Person, Platform } from "../model/request.ts";
import type { Identities } from "../vault/identities.ts";

const language = z.custom<Language>((tag) => typeof tag === "string" && isLanguage(tag));
const preview = z.enum(["clip", "still", "none"]);

/** A person's choices; the chat or the platform decides absent ones. */
export const PersonSettings = z.object({
  language: language.optional(),
  preview: preview.optional(),
  isMuted: z.boolean().optional(),
});
export type PersonSettings = z.infer<typeof PersonSettings>;

/** The choices of the managers of a server or group. */
export const ChatSettings = z.object({
  language: language.nullable().default(null),
  /** Shows adult matches in age-restricted channels. */
  allowsAdult: z.boolean().default(true),
  preview: preview.default("clip"),
  isMuted: z.boolean().default(false),
  audience: z.enum(["public", "private"]).default("public"),
  /** Lists confirmed searches of the chat among the recent ones. */
  isListed: z.boolean().default(true),
  /** Counts and lists what members confirm. */
  listsFinds: z.boolean().default(false),
  /** The channels where searches are served; empty for all. */
  channels: z.array(z.string()).default([]),
  /** The channels or topics in which every image is searched; `wholeChat` for all. */
  imageChannels: z.array(z.string()).default([]),
  /** The UTC day of the last notice about a limit after an image that was not addressed to the bot. */
  limitReplyDay: z.string().nullable().default(null),
  /** The searches per UTC day in the whole chat; null for no limit. */
  searchesPerDay: z.int().positive().nullable().default(null),
  /** The roles whose members can search; empty for all members. */
  roles: z.array(z.string()).default([]),
});
export type ChatSettings = z.infer<typeof ChatSettings>;

/** The element of `imageChannels` that stands for the whole group. */
export const wholeChat = "*";

const Stored = z.record(z.string(), z.unknown());

/** The chat has used up its searches of the day. */
export class ChatQuotaError extends Error {
  override readonly name = "ChatQuotaError";

  constructor() {
    super("The chat has used up its searches of the day.");
  }
}

/** Stores the settings of people and chats. */
export type Settings = ReturnType<typeof createSettings>;

export function createSettings(options: { platform: Platform; store: BotStore; identities: Identities }) {
  const { identities } = options;
  const { settings } = options.store;
  // Telegram has no age restriction, so a group's manager has to allow adult matches.
  const usual = options.platform === "telegram" ? { allowsAdult: false } : {};
  const byDefault = ChatSettings.parse(usual);
  return {
    async ofPerson(person: Person): Promise<PersonSettings> {
      const found = await settings.findPerson(identities.person(person.id));
      return PersonSettings.safeParse(found).data ?? {};
    },

    async ofChat(chat: Chat): Promise<ChatSettings> {
      if (chat.kind === "direct") return byDefault;
      const found = await settings.findChat(identities.chat(chat.id));
      return ChatSettings.safeParse({ ...usual, ...Stored.safeParse(found).data }).data ?? byDefault;
    },

    /**
     * Whether searches are served in this chat, and who sees the replies. Unreadable settings count as
     * absent.
     */
    async audienceAt(chat: Chat): Promise<{ isServed: boolean; isPrivate: boolean; channels: string[] }> {
      const { audience, channels } = await this.ofChat(chat).catch(() => byDefault);
      const here = listChannels(chat);
      const isServed =
        here.length === 0 || channels.length === 0 || here.some((channelId) => channels.includes(channelId));
      return { isServed, isPrivate: !isServed || audience === "private", channels };
    },

    /** Whether the requester has one of the roles that can search. Unreadable settings count as absent. */
    async permits(chat: Chat): Promise<boolean> {
      const { roles } = await this.ofChat(chat).catch(() => byDefault);
      return isPermitted(chat, roles);
    },

    /**
     * Counts a search of the chat and returns a function that withdraws it. Throws ChatQuotaError if the chat
     * has used up its searches of this UTC day.
     */
    async countSearch(chat: Chat, now: Date): Promise<() => Promise<void>> {
      const { searchesPerDay } = await this.ofChat(chat);
      if (searchesPerDay === null) return async () => {};
      const count = { day: now.toISOString().slice(0, 10), limit: searchesPerDay };
      const chatId = identities.chat(chat.id);
      if (!(await settings.countSearch(chatId, count))) throw new ChatQuotaError();
      return () => settings.withdrawSearch(chatId, count);
    },

    /** Whether every image in this channel is searched; also in its threads. */
    async searchesEveryImage(chat: Chat): Promise<boolean> {
      if (chat.kind === "direct") return false;
      const { imageChannels, roles } = await this.ofChat(chat);
      const here = [wholeChat, ...listChannels(chat)];
      if (!here.some((channelId) => imageChannels.includes(channelId))) return false;
      if (!isPermitted(chat, roles)) return false;
      const { isServed, isPrivate } = await this.audienceAt(chat);
      return isServed && !isPrivate;
    },

    /** Changes some settings of a person; null removes a choice. */
    async changePerson(
      person: Person,
      changes: { [Name in keyof PersonSettings]: PersonSettings[Name] | null },
    ): Promise<void> {
      const merged = { ...(await this.ofPerson(person)), ...changes };
      const saved = Object.entries(merged).filter(([, value]) => value !== null && value !== undefined);
      await settings.putPerson(identities.person(person.id), Object.fromEntries(saved));
    },

    /** Changes some settings of a chat. */
    async changeChat(chat: Chat, changes: Partial<ChatSettings>): Promise<void> {
      const chatId = identities.chat(chat.id);
      await settings.changeChat(chatId, changes);
      // What was counted for the list is deleted with it.
      if (changes.listsFinds === false) await options.store.chatFinds.removeChat(chatId);
    },
  };
}

/** On Discord the role that every member has, which no list contains, has the id of the server. */
function isPermitted({ id, requesterRoles = [] }: Chat, roles: readonly string[]): boolean {
  return roles.length === 0 || [id, ...requesterRoles].some((role) => roles.includes(role));
}

/** The channel, and the one that its thread belongs to. */
function listChannels({ channelId, parentChannelId }: Chat): string[] {
  return [channelId, parentChannelId].filter((id) => id !== undefined);
}
