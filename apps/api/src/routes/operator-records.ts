import type { CallerHashes } from "@koma/accounts";
import {
  applyCorrection,
  blockChat,
  listAuditRecords,
  listBlockedChats,
  listCorrections,
  settleCorrection,
  unblockChat,
} from "@koma/contract";
import type { Correction, Database, StoredMatch } from "@koma/database";
import { presentAnime } from "@koma/library";
import type { FastifyInstance } from "fastify";
import { ApiError } from "../api-error.ts";
import { readAuditNames } from "../read-audit-names.ts";
import { registerEndpoint } from "../register-endpoint.ts";
import { StoredScene, type StoredScenes } from "../search/stored-scene.ts";
import { describeAction, presentEpisode } from "./operator-library.ts";

/** `/api/operator/corrections`, `/api/operator/blocked-chats` and `/api/operator/audit`. */
export function registerOperatorRecords(
  app: FastifyInstance,
  { database, hashes, scenes }: { database: Database; hashes: CallerHashes; scenes: StoredScenes },
): void {
  registerEndpoint(app, listCorrections, async ({ query }) => {
    const { total, items } = await database.corrections.list(query);
    const show = await scenes.open(items.flatMap(({ match }) => match ?? []));
    const anime = await database.anime.resolve([...new Set(items.flatMap(({ animeId }) => animeId ?? []))]);
    const episodes = await database.episodes.findMany(items.flatMap(({ match }) => episodeIdOf(match) ?? []));
    const present = (id: string | null) => {
      const found = id === null ? undefined : anime.get(id);
      return found === undefined ? null : presentAnime(found);
    };
    return {
      ...query,
      total,
      items: items.map(({ searchId: id, text, animeId, number, match, createdAt }) => ({
        id,
        createdAt: createdAt.toISOString(),
        text,
        anime: present(animeId),
        number,
        episode: episodes.filter((each) => each.id === episodeIdOf(match)).map(presentEpisode)[0] ?? null,
        match: (match && show(match)) ?? null,
      })),
    };
  });

  registerEndpoint(app, settleCorrection, async ({ caller, params: { id } }) => {
    if (!(await database.corrections.remove(id))) {
      throw new ApiError("not_found", "This search has no correction.");
    }
    await database.audit.record(describeAction(caller, "correction.settle", `search:${id}`));
  });

  registerEndpoint(app, applyCorrection, async ({ caller, params: { id } }) => {
    const correction = await database.corrections.find(id);
    const named = correction && (await nameCorrected(correction));
    if (named === undefined) {
      throw new ApiError("not_found", "This search has no correction that names an episode of the library.");
    }
    const { episodeId, naming } = named;
    const details = { search: id, ...naming };
    await database.audit.record(describeAction(caller, "correction.apply", `episode:${episodeId}`, details));
    await database.episodes.rename([{ id: episodeId, naming }]);
    await database.corrections.remove(id);
  });

  /** The episode of the wrong match, and what it is named; undefined when it or the anime is not in the library. */
  async function nameCorrected({ animeId: chosen, number, match }: Correction) {
    if (chosen === null || match === undefined) return undefined;
    const episodeId = episodeIdOf(match);
    const episode = episodeId === undefined ? undefined : await database.episodes.find(episodeId);
    const anime = (await database.anime.resolve([chosen])).get(chosen);
    if (episode === undefined || anime === undefined) return undefined;
    const isOther = episode.animeId !== anime.id;
    const naming = {
      animeId: anime.id,
      ...(number !== null && { number }),
      ...(isOther && { season: null, title: null }),
    };
    return { episodeId: episode.id, naming };
  }

  registerEndpoint(app, listBlockedChats, async () => {
    const blocks = await database.chatBlocks.list();
    return { items: blocks.map((block) => ({ ...block, createdAt: block.createdAt.toISOString() })) };
  });

  registerEndpoint(app, blockChat, async ({ caller, json: { kind, chat, note } }) => {
    const key = kind === "server" ? hashes.server(chat) : hashes.chat(chat);
    // The log has the hash only, because the database does not store chat users.
    await database.audit.record(describeAction(caller, "chat.block", `chat:${key}`));
    await database.chatBlocks.block({ key, kind, note });
  });

  registerEndpoint(app, unblockChat, async ({ caller, params: { key } }) => {
    if ((await database.chatBlocks.find([key])) === undefined) {
      throw new ApiError("not_found", "This chat is not blocked.");
    }
    await database.audit.record(describeAction(caller, "chat.unblock", `chat:${key}`));
    await database.chatBlocks.unblock(key);
  });

  registerEndpoint(app, listAuditRecords, async ({ query }) => {
    const { total, items } = await database.audit.list(query);
    const names = await readAuditNames(
      database,
      items.flatMap(({ actor, target }) => [actor, target]),
    );
    return {
      ...query,
      total,
      items: items.map(({ createdAt, details, ...entry }) => ({
        ...entry,
        createdAt: createdAt.toISOString(),
        actorName: names.get(entry.actor) ?? null,
        targetName: names.get(entry.target) ?? null,
        details: details === undefined ? null : JSON.stringify(details),
      })),
    };
  });
}

/** The id of the episode of a match; undefined for the match of another service. */
function episodeIdOf(match: StoredMatch | undefined): string | undefined {
  return StoredScene.safeParse(match).data?.episode.id;
}
