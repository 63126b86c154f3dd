import type { Context } from "../context.ts";
import type { Reply } from "../model/reply.ts";
import type { Person, Place } from "../model/request.ts";
import { buildReply } from "../replies/build-reply.ts";
import type { Guard } from "../replies/guard.ts";
import type { Albums } from "./albums.ts";
import type { KeptResults } from "./kept-results.ts";
import type { ResultReplies } from "./result-reply.ts";

/** Results once more, for their asker. */
export function createReopening(
  { identities, speak, settings, notice }: Context,
  parts: { kept: KeptResults; albums: Albums; replies: ResultReplies; guard: Guard },
) {
  const { kept, albums, replies, guard } = parts;

  return {
    async ownResults({ person, limit }: { person: Person; limit: number }): Promise<Reply[]> {
      // As in a direct message, except that what is shared goes anywhere: nothing for adults.
      const place: Place = { kind: "group", id: "shared", isAgeRestricted: false };
      try {
        const found = await kept.list(person, limit);
        const shown = found.filter(({ content }) => content.matches[0]?.isConfident === true);
        const all = shown.map((result) =>
          replies.show({ ...result, albumId: null }, { person, place, isPrivate: false }),
        );
        return (await Promise.all(all)).filter(({ kind }) => kind === "match");
      } catch (error) {
        notice(
          "error",
          `Own results could not be listed: ${error instanceof Error ? error.message : String(error)}`,
        );
        return [];
      }
    },

    reopen: async (request: { person: Person; place: Place; resultId: string }): Promise<Reply> => {
      const { person, place } = request;
      const { isPrivate } = await settings.audienceAt(place);
      return await guard({ person, place }, async () => {
        const result = await kept.find(request.resultId);
        const isOwn = result?.personKey === identities.person(person.id).personKey;
        if (result === undefined || !isOwn) {
          const speaker = await speak({ person, place, isPrivate: true });
          const title = speaker.say(result === undefined ? "reply.gone" : "reply.onlyAsker");
          return buildReply(speaker, person, { kind: "expired", isPrivate: true, title });
        }
        const album = result.albumId === null ? undefined : await albums.find(result.albumId);
        return await replies.show(result, { person, place, isPrivate, album });
      });
    },
  };
}
