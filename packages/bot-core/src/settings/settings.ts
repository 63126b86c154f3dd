import type { BotStore } from "@koma/database/bots";
import { isLanguage, type Language } from "@koma/messages";
import { z } from "zod";
import type { Chat, Person, Platform } from "../model/request.ts";
import type { Identities } from "../vault/identities.ts";

const language = z.custom<Language>((tag) => typeof tag === "string" && isLanguage(tag));
const preview = z.enum(["clip", "still", "none"]);

/** What a person has chosen; what is absent decides the place, or the platform. */
export const PersonSettings = z.object({
  language: language.optional(),
  preview: preview.optional(),
  isMuted: z.boolean().optional(),
});
export type PersonSettings = z.infer<typeof PersonSettings>;

/** What those who manage a server or group have chosen. */
export const ChatSettings = z.object({
  language: language.nullable().default(null),
  /** Matches for adults, in age-restricted channels. */
  allowsAdult: z.boolean().default(true),
  preview: preview.default("clip"),
  isMuted: z.boolean().default(false),
  audience: z.enum(["public", "private"]).default("public"),
  /** May confirmed searches from there stand among the recent ones? */
  isListed: z.boolean().default(true),
  /** Where searches are answered; none: everywhere. */
  channels: z.array(z.string()).default([]),
});
export type ChatSettings = z.infer<typeof ChatSettings>;

const Stored = z.record(z.string(), z.unknown());

/** The settings of people and places. */
export type Settings = ReturnType<typeof createSettings>;

export function createSettings(options: { platform: Platform; store: BotStore; identities: Identities }) {
  const { identities } = options;
  const { settings } = options.store;
  // Telegram marks no place as one for adults: there whoever manages a group has to allow it.
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

    /** Whether searches are answered in this place, and who sees answers; what cannot be read decides nothing. */
    async audienceAt(chat: Chat): Promise<{ isServed: boolean; isPrivate: boolean; channels: string[] }> {
      const { audience, channels } = await this.ofChat(chat).catch(() => byDefault);
      const here = [chat.channelId, chat.parentChannelId].filter((id) => id !== undefined);
      const isServed =
        here.length === 0 || channels.length === 0 || here.some((channelId) => channels.includes(channelId));
      return { isServed, isPrivate: !isServed || audience === "private", channels };
    },

    /** Changes some settings of a person; null takes a choice back. */
    async changePerson(
      person: Person,
      changes: { [Name in keyof PersonSettings]: PersonSettings[Name] | null },
    ): Promise<void> {
      const merged = { ...(await this.ofPerson(person)), ...changes };
      const saved = Object.entries(merged).filter(([, value]) => value !== null && value !== undefined);
      await settings.putPerson(identities.person(person.id), Object.fromEntries(saved));
    },

    /** Changes some settings of a place. */
    async changeChat(chat: Chat, changes: Partial<ChatSettings>): Promise<void> {
      await settings.changeChat(identities.chat(chat.id), changes);
    },
  };
}
