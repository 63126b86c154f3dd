import { dirname } from "node:path";
import type { Configuration } from "@koma/config";
import {
  editAnime,
  editEpisode,
  getIndexing,
  labelEpisode,
  listOperatorAnime,
  listOperatorEpisodes,
  mergeAnime,
  nameFolder,
  type OperatorEpisode,
  removeAnime,
  removeEpisode,
  retryEpisode,
  startIndexing,
} from "@koma/contract";
import {
  AnilistIdTakenError,
  type Database,
  type EpisodeWithAnime,
  type JsonObject,
  type NewAuditEntry,
} from "@koma/database";
import { type Library, presentAnime } from "@koma/library";
import type { FastifyInstance } from "fastify";
import { ApiError, invalidRequest } from "../api-error.ts";
import type { IndexQueue } from "../indexing/index-queue.ts";
import { listVideos, listVideosAt, PathOutsideRootsError } from "../indexing/library-roots.ts";
import { registerEndpoint } from "../register-endpoint.ts";

/** `/api/operator/anime`, `/api/operator/episodes` and `/api/operator/indexing`. */
export function registerOperatorLibrary(
  app: FastifyInstance,
  options: {
    config: Pick<Configuration, "KOMA_LIBRARY_ROOTS">;
    database: Database;
    library: Pick<Library, "remove" | "renameFolder" | "hasFfmpeg">;
    indexQueue?: Pick<IndexQueue, "add" | "status"> | undefined;
  },
): void {
  const { database, library, indexQueue } = options;
  const { KOMA_LIBRARY_ROOTS: roots } = options.config;

  registerEndpoint(app, listOperatorAnime, async ({ query }) => {
    const { total, items } = await database.statistics.listAnime(query);
    return { ...query, total, items: items.map((item) => ({ ...item, anime: presentAnime(item.anime) })) };
  });

  registerEndpoint(app, listOperatorEpisodes, async ({ query }) => {
    const { total, items } = await database.statistics.listEpisodes(query);
    return { ...query, total, items: items.map(presentEpisode) };
  });

  registerEndpoint(app, editAnime, async ({ caller, params, json }) => {
    const audit = describeAction(caller, "anime.edit", `anime:${params.id}`, json);
    const anime = await database.anime.edit(params.id, json, audit).catch((error: unknown) => {
      throw error instanceof AnilistIdTakenError ? invalidRequest("anilistId", error.message) : error;
    });
    if (anime === undefined) throw unknownAnime();
    return presentAnime(anime);
  });

  registerEndpoint(app, mergeAnime, async ({ caller, params, json }) => {
    if (params.id === json.intoId) throw invalidRequest("intoId", "is the id of the same anime");
    const audit = describeAction(caller, "anime.merge", `anime:${params.id}`, json);
    const anime = await database.anime.merge(params.id, json.intoId, audit);
    if (anime === undefined) throw unknownAnime();
    return presentAnime(anime);
  });

  registerEndpoint(app, removeAnime, async ({ caller, params: { id } }) => {
    const [anime] = await database.anime.findMany([id]);
    if (anime === undefined) throw unknownAnime();
    const title = anime.titleRomaji ?? anime.titleEnglish ?? anime.titleNative ?? "";
    await database.audit.record(describeAction(caller, "anime.remove", `anime:${id}`, { title }));
    return { episodes: (await library.remove({ ids: [id] })).length };
  });

  registerEndpoint(app, editEpisode, async ({ caller, params: { id }, json }) => {
    const audit = describeAction(caller, "episode.edit", `episode:${id}`, json);
    const episode = await database.episodes.edit(id, json, audit);
    if (episode === undefined) throw unknownEpisode();
    return presentEpisode(episode);
  });

  registerEndpoint(app, labelEpisode, async ({ caller, params: { id }, json: { labels } }) => {
    const audit = describeAction(caller, "episode.label", `episode:${id}`, { labels });
    const episode = await database.episodes.editLabels(id, labels, audit);
    if (episode === undefined) throw unknownEpisode();
    return presentEpisode(episode);
  });

  registerEndpoint(app, nameFolder, async ({ caller, params: { id }, json }) => {
    const episode = await database.episodes.find(id);
    if (episode === undefined) throw unknownEpisode();
    const folder = dirname(episode.path);
    await database.audit.record(describeAction(caller, "folder.name", `folder:${folder}`, json));
    return { episodes: (await library.renameFolder(folder, json)).length };
  });

  registerEndpoint(app, retryEpisode, async ({ caller, params: { id } }) => {
    const episode = await database.episodes.find(id);
    if (episode === undefined || indexQueue === undefined) throw unknownEpisode();
    await database.audit.record(
      describeAction(caller, "episode.retry", `episode:${id}`, { path: episode.path }),
    );
    indexQueue.add([episode.path]);
    return { videos: 1 };
  });

  registerEndpoint(app, removeEpisode, async ({ caller, params: { id } }) => {
    const episode = await database.episodes.find(id);
    if (episode === undefined) throw unknownEpisode();
    await database.audit.record(
      describeAction(caller, "episode.remove", `episode:${id}`, { path: episode.path }),
    );
    await library.remove({ ids: [id] });
  });

  registerEndpoint(app, getIndexing, async () => {
    const status = indexQueue?.status();
    const claimed = await database.statistics.listClaimed();
    return {
      folders: indexQueue === undefined ? [] : roots,
      hasFfmpeg: await library.hasFfmpeg(),
      waiting: status?.waiting ?? 0,
      run: status?.run ?? null,
      lastRun:
        status?.lastRun === undefined
          ? null
          : {
              ...status.lastRun,
              endedAt: status.lastRun.endedAt.toISOString(),
              problem: status.lastRun.problem ?? null,
            },
      claims: claimed.map(({ path, fileName, worker }) => ({
        fileName,
        // The claim also names a random id of the run.
        worker: worker.split(" ").slice(0, 2).join(" "),
        fraction: status?.fractions.get(path) ?? null,
      })),
    };
  });

  registerEndpoint(app, startIndexing, async ({ caller, json: { path } }) => {
    if (roots.length === 0 || indexQueue === undefined) {
      throw new ApiError(
        "not_found",
        "Indexing is off. Set KOMA_LIBRARY_ROOTS to the folders with videos, and KOMA_LIBRARY_TOKEN, and start Koma again.",
      );
    }
    const videos = await findVideos(path);
    const target = `folder:${path ?? roots.join(",")}`;
    await database.audit.record(describeAction(caller, "library.index", target, { videos: videos.length }));
    if (videos.length > 0) indexQueue.add(videos);
    return { videos: videos.length };
  });

  async function findVideos(path: string | undefined): Promise<string[]> {
    try {
      return await (path === undefined ? listVideos(roots) : listVideosAt(path, roots));
    } catch (error) {
      if (error instanceof PathOutsideRootsError) {
        throw invalidRequest("path", `is no folder or video below ${roots.join(", ")}`);
      }
      const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
      if (code === "EACCES" || code === "ENOENT") throw invalidRequest("path", `cannot be read (${code})`);
      throw error;
    }
  }
}

/** An episode as operators see it. */
export function presentEpisode({ indexedAt, anime, ...episode }: EpisodeWithAnime): OperatorEpisode {
  return { ...episode, anime: presentAnime(anime), indexedAt: indexedAt?.toISOString() ?? null };
}

/** The entry of the audit log for an action on the operator page. */
export function describeAction(
  caller: { userId: string },
  action: string,
  target: string,
  details?: JsonObject,
): NewAuditEntry {
  return { actor: `user:${caller.userId}`, action, target, details };
}

function unknownAnime(): ApiError {
  return new ApiError("not_found", "This anime does not exist.");
}

function unknownEpisode(): ApiError {
  return new ApiError("not_found", "This episode does not exist.");
}
