import type { Accounts } from "@koma/accounts";
import { getSite, presentAnime, presentEpisode, type Site } from "@koma/contract";
import type { Configuration } from "@koma/contract/configuration";
import type { Database } from "@koma/database";
import { imageLimits, type LibrarySearch } from "@koma/library";
import type { FastifyInstance } from "fastify";
import type { PreviewAddresses } from "../previews/preview-addresses.ts";
import { registerEndpoint } from "../register-endpoint.ts";

/** Films are looked up anew after this long; addresses are signed each time. */
const restMs = 30_000;
const exampleLimit = 6;

/** `GET /api/site`. */
export function registerSite(
  app: FastifyInstance,
  options: {
    config: Configuration;
    database: Database;
    accounts: Pick<Accounts, "describeSignIn">;
    addresses: PreviewAddresses;
    getSearch: () => LibrarySearch | undefined;
    getBaseUrl: () => string;
    now: () => Date;
  },
): void {
  const { config, accounts, getBaseUrl, now } = options;
  let looked: { atMs: number; films: Promise<SampleFilm[]> } | undefined;

  registerEndpoint(app, getSite, async ({ reply }) => {
    reply.header("cache-control", "no-store");
    const atMs = now().getTime();
    if (looked === undefined || Math.abs(atMs - looked.atMs) > restMs) {
      looked = { atMs, films: chooseFilms(options.database) };
    }
    const films = await looked.films.catch((error: unknown) => {
      looked = undefined;
      throw error;
    });
    return {
      baseUrl: getBaseUrl(),
      frameCount: options.getSearch()?.frameCount() ?? 0,
      limits: {
        guestSearchesPerDay: config.KOMA_GUEST_SEARCHES_PER_DAY,
        freeCreditsPerDay: config.KOMA_FREE_CREDITS_PER_DAY,
        searchesPerHour: config.KOMA_SEARCHES_PER_HOUR,
        imageBytes: imageLimits.bytes,
      },
      signIn: accounts.describeSignIn(),
      examples: films.map((film) => describeExample(film)),
    };
  });

  function describeExample(film: SampleFilm): Site["examples"][number] {
    const timestamp = film.durationSeconds * film.place;
    const scene = { episode: film, timestamp, from: timestamp, to: timestamp };
    return {
      anime: presentAnime(film.anime),
      episode: presentEpisode(film),
      imageUrl: options.addresses.describe(scene).imageUrl,
    };
  }
}

type SampleFilm = Awaited<ReturnType<typeof chooseFilms>>[number];

/** Sample films, each anime in its turn, and where in each of them a frame is taken. */
async function chooseFilms(database: Database) {
  const films = (await database.episodes.list({ isSample: true })).flatMap((film) =>
    film.state === "ready" && film.durationSeconds !== null
      ? [{ ...film, durationSeconds: film.durationSeconds }]
      : [],
  );
  const turns = new Map<string, number>();
  const withTurn = films.map((film) => {
    const turn = turns.get(film.animeId) ?? 0;
    turns.set(film.animeId, turn + 1);
    return { ...film, turn };
  });
  return withTurn
    .sort((one, other) => one.turn - other.turn)
    .slice(0, exampleLimit)
    .map((film, index) => ({ ...film, place: places[index % places.length] ?? 0.4 }));
}

const places = [0.4, 0.55, 0.3, 0.7, 0.2, 0.6];
