import type { Reply } from "../model/reply.ts";
import type { Chat, Person, Requester } from "../model/request.ts";
import { withReason } from "../process/with-reason.ts";
import type { Shared } from "../shared.ts";
import type { Albums } from "./albums.ts";
import type { ResultReplies } from "./result-reply.ts";
import type { SavedResults } from "./saved-results.ts";

/** Shows saved results again to their requester. */
export function createReopening(
  { identities, replyPrivately, guard, settings, log }: Shared,
  { saved, albums, replies }: { saved: SavedResults; albums: Albums; replies: ResultReplies },
) {
  return {
    async ownResults({ person, limit }: { person: Person; limit: number }): Promise<Reply[]> {
      // As in a direct message, but without adult matches, because a shared result can be sent anywhere.
      const chat: Chat = { kind: "group", id: "shared", isAgeRestricted: false };
      try {
        const found = await saved.list(person, limit);
        const shown = found.filter(({ content }) => content.matches[0]?.isConfident === true);
        const all = shown.map((result) =>
          replies.show({ ...result, albumId: null }, { person, chat, isPrivate: false }),
        );
        return (await Promise.all(all)).filter(({ match }) => match !== undefined);
      } catch (error) {
        log("error", withReason("Own results could not be listed", error));
        return [];
      }
    },

    reopen: async (request: Requester & { resultId: string }): Promise<Reply> => {
      const { person, chat } = request;
      const { isPrivate } = await settings.audienceAt(chat);
      return await guard({ person, chat }, async () => {
        const result = await saved.find(request.resultId);
        const isOwn = result?.personKey === identities.person(person.id).personKey;
        if (result === undefined || !isOwn) {
          const why = result === undefined ? "reply.gone" : "reply.onlyAsker";
          return await replyPrivately(request, ({ t }, build) => build({ kind: "expired", title: t(why) }));
        }
        const album = result.albumId === null ? undefined : await albums.find(result.albumId);
        return await replies.show(result, { person, chat, isPrivate, album });
      });
    },
  };
}
