import type { Anime } from "@koma/contract";
import { chooseTitle } from "@koma/messages";
import type { Reply } from "../model/reply.ts";
import type { ActionRequest, Chat, Requester } from "../model/request.ts";
import { itemLine, line } from "../replies/build-reply.ts";
import type { Shared } from "../shared.ts";
import { canShowAnime } from "./can-show-anime.ts";

const shownEntries = 10;
/** More than are shown, because anime for adults are left out. */
const countedEntries = 30;
const deadlineMs = 10_000;

/** Counts and lists what the members of a chat confirmed. */
export type ChatTop = ReturnType<typeof createChatTop>;

export function createChatTop({
  store: { chatFinds },
  identities,
  api,
  settings,
  replyInChat,
  now,
  log,
}: Shared) {
  return {
    /**
     * Counts the confirmed anime of a result, or undefined for a withdrawn confirmation, where the managers
     * chose it. Results that only their requester sees are not counted. Never throws.
     */
    async count(
      { person, chat, isPrivate }: Pick<ActionRequest, "person" | "chat" | "isPrivate">,
      resultId: string,
      animeId: string | undefined,
    ): Promise<void> {
      if (chat.kind === "direct" || isPrivate === true) return;
      try {
        if (!(await settings.ofChat(chat)).listsFinds) return;
        const chatId = identities.chat(chat.id);
        if (animeId === undefined) return await chatFinds.remove(chatId, resultId);
        await chatFinds.put({
          ...chatId,
          ...identities.person(person.id),
          resultId,
          animeId,
          foundAt: now(),
        });
      } catch (error) {
        log("warn", `A find of a chat was not counted: ${error instanceof Error ? error.name : "unknown"}`);
      }
    },

    /** The anime that the members of the chat confirmed most often, without names of members. */
    list: ({ person, chat }: Requester): Promise<Reply> =>
      replyInChat({ person, chat }, async ({ t, language }, build) => {
        const inform = (title: string) => build({ kind: "text", isPrivate: true, title });
        if (chat.kind === "direct") return inform(t("settings.notInPrivate"));
        const chosen = await settings.ofChat(chat);
        if (!chosen.listsFinds) return inform(t("reply.top.off"));
        const entries = await listEntries(chat);
        const shown = entries.filter(({ anime }) => canShowAnime(anime, chat, chosen)).slice(0, shownEntries);
        const lines = shown.map(({ anime, count }, index) => {
          const title = chooseTitle(anime.title, language);
          return itemLine(
            t("reply.rankings.entry", { rank: index + 1, anime: title }),
            t("reply.top.finds", { count }),
          );
        });
        return build({
          kind: "list",
          title: t("reply.top.title"),
          lines: [
            ...(lines.length > 0 ? lines : [line(t("reply.top.empty", { right: t("button.right") }))]),
            line(t("reply.top.period"), "quiet"),
          ],
        });
      }),
  };

  /** The counted anime as the API knows them now; those that were merged count as one. */
  async function listEntries(chat: Chat): Promise<{ anime: Anime; count: number }[]> {
    const top = await chatFinds.listTop(identities.chat(chat.id), { limit: countedEntries, at: now() });
    const found = await Promise.all(
      top.map(async ({ animeId, count }) => {
        const { items } = await api.measured("findAnime", () =>
          api.bot.findAnime({ animeId }, { deadlineMs }),
        );
        return items.map((anime) => ({ anime, count }));
      }),
    );
    const entries = new Map<string, { anime: Anime; count: number }>();
    for (const { anime, count } of found.flat())
      entries.set(anime.id, { anime, count: count + (entries.get(anime.id)?.count ?? 0) });
    return [...entries.values()].toSorted((one, other) => other.count - one.count);
  }
}
