import { setTimeout as sleep } from "node:timers/promises";
import type { AnimeLink, AnimeMetadata } from "@koma/database";
import { z } from "zod";
import { readRetryAfter } from "../read-retry-after.ts";

/** AniList is unreachable or returned an invalid response. */
export class MetadataSyncError extends Error {
  override readonly name = "MetadataSyncError";
}

export type AniListClientOptions = {
  /** GraphQL address; by default that of AniList. */
  endpoint?: string | undefined;
  fetch?: typeof globalThis.fetch | undefined;
  signal?: AbortSignal | undefined;
  /** Receives the seconds when AniList requests a delay. */
  onWait?: ((seconds: number) => void) | undefined;
};

/** Anime to fetch by id, and searches by title. */
export type MediaQuery = { ids: readonly number[]; searches: readonly string[] };

const defaultEndpoint = "https://graphql.anilist.co";
const attemptTimeoutMs = 30_000;
const mostAttempts = 6;
const longestWaitSeconds = 300;

/**
 * Queries AniList's GraphQL API for anime, all in one request. It waits as a 429 response requires
 * (Retry-After), and retries after a failed connection or a 5xx. Throws MetadataSyncError, or AbortError on
 * the signal.
 */
export function createAniListClient(o: AniListClientOptions) {
  const endpoint = o.endpoint ?? defaultEndpoint;
  const send = o.fetch ?? globalThis.fetch;

  return async function fetchMedia(query: MediaQuery): Promise<AnimeMetadata[]> {
    const body = JSON.stringify(toRequest(query));
    for (let attempt = 1; ; attempt += 1) {
      const result = await attemptOnce(body);
      if (result.media !== undefined) return result.media;
      if (attempt === mostAttempts) throw new MetadataSyncError(result.problem);
      const seconds = Math.min(result.waitSeconds ?? 2 ** (attempt - 1), longestWaitSeconds);
      o.onWait?.(seconds);
      await sleep(seconds * 1000, undefined, o.signal === undefined ? {} : { signal: o.signal });
    }
  };

  async function attemptOnce(body: string): Promise<Attempt> {
    const timeout = AbortSignal.timeout(attemptTimeoutMs);
    const signal = o.signal === undefined ? timeout : AbortSignal.any([o.signal, timeout]);
    try {
      const headers = { "content-type": "application/json", accept: "application/json" };
      const response = await send(endpoint, { method: "POST", headers, body, signal });
      if (response.ok) return { media: readMedia(await response.json()) };
      const text = (await response.text()).slice(0, 300);
      const problem = `AniList at ${endpoint} returned ${response.status}: ${text}`;
      if (response.status !== 429 && response.status < 500) throw new MetadataSyncError(problem);
      return { problem, waitSeconds: readRetryAfter(response.headers) };
    } catch (error) {
      o.signal?.throwIfAborted();
      if (error instanceof MetadataSyncError) throw error;
      const reason = timeout.aborted ? `no response within ${attemptTimeoutMs / 1000} s` : describe(error);
      return { problem: `AniList at ${endpoint} cannot be reached: ${reason}` };
    }
  }
}

type Attempt =
  | { media: AnimeMetadata[]; problem?: never }
  | { media?: never; problem: string; waitSeconds?: number | undefined };

function toRequest({ ids, searches }: MediaQuery): { query: string; variables: Record<string, unknown> } {
  const variables = Object.fromEntries(searches.map((search, at) => [`search${at}`, search]));
  const parameters = searches.map((_, at) => `$search${at}: String`);
  const pages = searches.map(
    (_, at) => `found${at}: Page(perPage: 10) { media(search: $search${at}, type: ANIME) { ...entry } }`,
  );
  if (ids.length > 0) {
    parameters.push("$ids: [Int]");
    pages.push("known: Page(perPage: 50) { media(id_in: $ids, type: ANIME) { ...entry } }");
  }
  const query = `query (${parameters.join(", ")}) {\n  ${pages.join("\n  ")}\n}
fragment entry on Media {
  id idMal title { romaji english native } synonyms format startDate { year } isAdult coverImage { extraLarge large }
  studios(isMain: true) { nodes { name } } externalLinks { site url type isDisabled }
}`;
  return { query, variables: ids.length > 0 ? { ...variables, ids } : variables };
}

const Media = z.object({
  id: z.number().int(),
  idMal: z.number().int().nullish(),
  title: z.object({
    romaji: z.string().nullish(),
    english: z.string().nullish(),
    native: z.string().nullish(),
  }),
  synonyms: z.array(z.string().nullable()).nullish(),
  format: z.string().nullish(),
  startDate: z.object({ year: z.number().int().nullish() }).nullish(),
  isAdult: z.boolean().nullish(),
  coverImage: z.object({ extraLarge: z.string().nullish(), large: z.string().nullish() }).nullish(),
  studios: z.object({ nodes: z.array(z.object({ name: z.string() }).nullable()).nullish() }).nullish(),
  externalLinks: z
    .array(
      z
        .object({
          site: z.string(),
          url: z.string().nullish(),
          type: z.string().nullish(),
          isDisabled: z.boolean().nullish(),
        })
        .nullable(),
    )
    .nullish(),
});

const AniListResponse = z.object({
  data: z.record(z.string(), z.object({ media: z.array(Media.nullable()).nullable() }).nullable()).nullish(),
  errors: z.array(z.object({ message: z.string() })).optional(),
});

function readMedia(json: unknown): AnimeMetadata[] {
  const result = AniListResponse.safeParse(json);
  if (!result.success) throw new MetadataSyncError("AniList returned a response of an unknown form.");
  const { data, errors } = result.data;
  if (data === null || data === undefined) {
    const messages = (errors ?? []).map((error) => error.message).join("; ");
    throw new MetadataSyncError(`AniList rejected the query: ${messages || "no reason given"}`);
  }
  const media = Object.values(data).flatMap((page) => page?.media ?? []);
  return media.flatMap((one) => (one === null ? [] : [toMetadata(one)]));
}

function toMetadata(media: z.infer<typeof Media>): AnimeMetadata {
  return {
    anilistId: media.id,
    malId: media.idMal ?? null,
    titleRomaji: media.title.romaji ?? null,
    titleEnglish: media.title.english ?? null,
    titleNative: media.title.native ?? null,
    synonyms: (media.synonyms ?? []).flatMap((synonym) => synonym ?? []),
    format: media.format ?? null,
    year: media.startDate?.year ?? null,
    isAdult: media.isAdult ?? false,
    coverUrl: media.coverImage?.extraLarge ?? media.coverImage?.large ?? null,
    studios: (media.studios?.nodes ?? []).flatMap((studio) => studio?.name ?? []),
    links: readLinks(media.externalLinks ?? []),
  };
}

const mostLinks = 8;

/** The sites that stream the anime. Other people write them, so only https addresses are taken. */
function readLinks(external: NonNullable<z.infer<typeof Media>["externalLinks"]>): AnimeLink[] {
  const links = new Map<string, AnimeLink>();
  for (const link of external) {
    if (link?.type !== "STREAMING" || link.isDisabled || !link.url) continue;
    const url = URL.parse(link.url);
    if (url?.protocol === "https:") links.set(url.href, { site: link.site, url: url.href });
  }
  return [...links.values()].slice(0, mostLinks);
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
