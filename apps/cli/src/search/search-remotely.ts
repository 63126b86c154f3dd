import { type Client, createClient, NetworkFailure } from "@koma/client";
import { CommandError } from "../command-error.ts";
import { openImage } from "./open-image.ts";
import { printLines } from "./print-lines.ts";
import { describeSearchError, type SearchChoices, type SearchLine } from "./search-line.ts";

/**
 * Searches images one after the other with the API of another Koma, and prints a line for each. False when an image
 * could not be searched. Throws CommandError when the API cannot be reached.
 */
export async function searchRemotely(
  api: { baseUrl: string; apiKey: string | undefined },
  queries: readonly string[],
  { json, ...options }: SearchChoices,
): Promise<boolean> {
  return await printLines(listLines(createClient(api), queries, options), json);
}

async function* listLines(
  client: Client,
  queries: readonly string[],
  options: Omit<SearchChoices, "json">,
): AsyncGenerator<SearchLine, void, void> {
  const { limit, anime, signal } = options;
  const animeId = anime === undefined ? undefined : await orUnreachable(findAnimeId(client, anime, signal));
  for (const query of queries) {
    signal.throwIfAborted();
    yield await orUnreachable(searchOne(query));
  }

  async function searchOne(query: string): Promise<SearchLine> {
    try {
      const image = new Blob([Uint8Array.from(await openImage(query, signal).read())]);
      const { queryFrame, outcome, matches } = await client.searchAnime({ image, animeId }, { signal });
      return { query, queryFrame, outcome, matches: matches.slice(0, limit) };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof NetworkFailure) throw error;
      return { query, error: describeSearchError(error) };
    }
  }
}

/** The id of the anime with that title; an unknown title is treated as an id. */
async function findAnimeId(client: Client, anime: string, signal: AbortSignal): Promise<string> {
  const { items } = await client.findAnime({ query: anime, limit: 1 }, { signal });
  return items[0]?.id ?? anime;
}

async function orUnreachable<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof NetworkFailure) throw new CommandError(`KOMA_API_URL: ${error.message}`);
    throw error;
  }
}
