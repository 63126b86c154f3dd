import type { Anime } from "@koma/contract";
import type { Chat } from "../model/request.ts";
import type { ChatSettings } from "../settings/settings.ts";

/** Whether a chat may show an anime: those for adults only where their scenes are shown. */
export function canShowAnime(
  { isAdult }: Pick<Anime, "isAdult">,
  chat: Chat,
  { allowsAdult }: Pick<ChatSettings, "allowsAdult">,
): boolean {
  return !isAdult || chat.kind === "direct" || (allowsAdult && chat.isAgeRestricted);
}

/** Whether one of the titles of an anime is this one, in any case. */
export function hasTitle({ title }: Anime, query: string): boolean {
  const lowered = query.toLowerCase();
  return [title.romaji, title.english, title.native].some((one) => one?.toLowerCase() === lowered);
}
