import type { Accounts } from "@koma/accounts";
import type { Configuration } from "@koma/config";
import { getSite, type Site } from "@koma/contract";
import type { Database } from "@koma/database";
import { imageLimits, type LibrarySearch, presentAnime, presentEpisode } from "@koma/library";
import type { FastifyInstance } from "fastify";
import type { PreviewAddresses } from "../previews/preview-addresses.ts";
import { registerEndpoint } from "../register-endpoint.ts";
import type { UpstreamSearches } from "../search/upstream-searches.ts";

/** The interval at which the sample videos are chosen again; addresses are signed for each request. */
const refreshMs = 30_000;
const exampleLimit = 6;

/** `GET /api/site`. */
export function registerSite(
  app: FastifyInstance,
  options: {
    config: Configuration;
    database: Database;
    accounts: Pick<Accounts, "describeSignIn">;
    addresses: PreviewAddresses;
    upstreams: UpstreamSearches;
    getSearch: () => LibrarySearch | undefined;
    getBaseUrl: () => string;
    now: () => Date;
  },
): void {
  const { config, accounts, getBaseUrl, now } = options;
  let cached: { atMs: number; videos: Promise<SampleVideo[]> } | undefined;

  registerEndpoint(app, getSite, async () => {
    const atMs = now().getTime();
    if (cached === undefined || Math.abs(atMs - cached.atMs) > refreshMs) {
      cached = { atMs, videos: chooseVideos(options.database) };
    }
    const videos = await cached.videos.catch((error: unknown) => {
      cached = undefined;
      throw error;
    });
    return {
      baseUrl: getBaseUrl(),
      frameCount: options.getSearch()?.frameCount() ?? 0,
      isLibraryPublic: config.KOMA_PUBLIC_LIBRARY,
      contact: config.KOMA_CONTACT ?? null,
      upstreams: options.upstreams.sources,
      historyDays: config.KOMA_HISTORY_DAYS,
      missingDays: config.KOMA_MISSING_DAYS,
      limits: {
        guestSearchesPerDay: config.KOMA_GUEST_SEARCHES_PER_DAY,
        freeCreditsPerDay: config.KOMA_FREE_CREDITS_PER_DAY,
        searchesPerHour: config.KOMA_SEARCHES_PER_HOUR,
        imageBytes: imageLimits.bytes,
      },
      signIn: accounts.describeSignIn(),
      examples: videos.map((video) => describeExample(video)),
    };
  });

  function describeExample(video: SampleVideo): Site["examples"][number] {
    const timestamp = video.durationSeconds * video.position;
    const scene = { episode: video, timestamp, from: timestamp, to: timestamp };
    const { imageUrl, previewPaths } = options.addresses.describe(scene);
    return {
      anime: presentAnime(video.anime),
      episode: presentEpisode(video),
      imageUrl,
      previewPaths: { stills: previewPaths.stills },
    };
  }
}

type SampleVideo = Awaited<ReturnType<typeof chooseVideos>>[number];

/** Chooses sample videos, alternating between anime, and the time of a frame in each. */
async function chooseVideos(database: Database) {
  const videos = (await database.episodes.list({ isSample: true })).flatMap((video) =>
    video.state === "ready" && video.durationSeconds !== null
      ? [{ ...video, durationSeconds: video.durationSeconds }]
      : [],
  );
  const rounds = new Map<string, number>();
  const withRound = videos.map((video) => {
    const round = rounds.get(video.animeId) ?? 0;
    rounds.set(video.animeId, round + 1);
    return { ...video, round };
  });
  return withRound
    .sort((one, other) => one.round - other.round)
    .slice(0, exampleLimit)
    .map((video, index) => ({ ...video, position: positions[index % positions.length] ?? 0.4 }));
}

const positions = [0.4, 0.55, 0.3, 0.7, 0.2, 0.6];
