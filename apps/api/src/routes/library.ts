import type { Configuration } from "@koma/config";
import { listLibrary, listLibraryEpisodes } from "@koma/contract";
import type { Database } from "@koma/database";
import { presentAnime, presentEpisodeNumber } from "@koma/library";
import type { FastifyInstance } from "fastify";
import { ApiError } from "../api-error.ts";
import type { Caller } from "../caller.ts";
import { registerEndpoint } from "../register-endpoint.ts";

/** `GET /api/library` and `GET /api/library/{id}/episodes`. */
export function registerLibrary(
  app: FastifyInstance,
  options: {
    config: Pick<Configuration, "KOMA_PUBLIC_LIBRARY" | "KOMA_REQUIRE_2FA">;
    database: Pick<Database, "anime" | "libraryContents" | "users">;
  },
): void {
  const { config, database } = options;

  registerEndpoint(app, listLibrary, async ({ caller, query }) => {
    await requireAccess(caller);
    const { total, items } = await database.libraryContents.listAnime(query);
    return { ...query, total, items: items.map((item) => ({ ...item, anime: presentAnime(item.anime) })) };
  });

  registerEndpoint(app, listLibraryEpisodes, async ({ caller, params, query }) => {
    await requireAccess(caller);
    const anime = (await database.anime.resolve([params.id])).get(params.id);
    const found = anime && (await database.libraryContents.listEpisodes({ ...query, animeId: anime.id }));
    if (found === undefined) throw new ApiError("not_found", "The library has no episodes of this anime.");
    const items = found.items.map((episode) => ({
      ...episode,
      number: presentEpisodeNumber(episode.number),
      indexedAt: episode.indexedAt?.toISOString() ?? null,
    }));
    return { ...query, total: found.total, items };
  });

  async function requireAccess(caller: Caller): Promise<void> {
    if (config.KOMA_PUBLIC_LIBRARY) return;
    const user =
      caller.kind === "user" && caller.by === "session"
        ? await database.users.find(caller.userId)
        : undefined;
    if (user?.isAdmin === true && (config.KOMA_REQUIRE_2FA === "off" || user.isTwoFactorEnabled)) return;
    throw new ApiError("forbidden", "The operator has not published the library of this instance.");
  }
}
