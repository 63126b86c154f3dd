import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

/** An anime as AniList's GraphQL API returns it. */
export type Media = {
  id: number;
  idMal: number | null;
  title: { romaji: string; english: string | null; native: string | null };
  externalLinks?: readonly (object | null)[];
};

type AniListRequest = { query: string; variables: Record<string, unknown> };

/**
 * Responds as AniList does (https://docs.anilist.co): aliased pages of media by id_in and by search, rate
 * limit headers. `misbehave` may respond to a request differently, by its number from 1.
 */
export async function startAniList(
  media: readonly Media[],
  misbehave: (
    request: number,
  ) => { status: number; headers?: Record<string, string>; body: unknown } | undefined = () => undefined,
) {
  const requests: AniListRequest[] = [];
  const server = createServer(async (request, response) => {
    const query = JSON.parse(await text(request)) as AniListRequest;
    requests.push(query);
    const other = misbehave(requests.length);
    const headers = {
      "content-type": "application/json",
      "x-ratelimit-limit": "90",
      "x-ratelimit-remaining": "30",
    };
    response.writeHead(other?.status ?? 200, { ...headers, ...other?.headers });
    response.end(JSON.stringify(other?.body ?? { data: respond(query, media) }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return {
    requests,
    endpoint: `http://127.0.0.1:${address.port}/`,
    async close(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const page =
  /(\w+): Page\(perPage: (\d+)\) \{ media\((search|id_in): \$(\w+), type: ANIME\) \{ \.\.\.entry \} \}/g;

function respond(
  { query, variables }: AniListRequest,
  media: readonly Media[],
): Record<string, { media: object[] }> {
  const pages = [...query.matchAll(page)].map(([, alias = "", perPage, filter, variable = ""]) => {
    const expected = variables[variable];
    const found = media.filter(({ id, title }) =>
      filter === "id_in"
        ? Array.isArray(expected) && expected.includes(id)
        : Object.values(title).some((one) => one?.toLowerCase().includes(String(expected).toLowerCase())),
    );
    return [alias, { media: found.slice(0, Number(perPage)).map(complete) }] as const;
  });
  return Object.fromEntries(pages);
}

function complete(media: Media): object {
  return {
    synonyms: [],
    format: "TV",
    startDate: { year: 2020 },
    isAdult: false,
    coverImage: { extraLarge: `https://example.org/${media.id}.png`, large: null },
    ...media,
  };
}
