import type { Database } from "@koma/database";
import { presentAnime } from "@koma/library";
import type { FastifyInstance } from "fastify";

/** The address of the feed, relative to the base address. */
export const rankingsFeedPath = "rankings.atom";

const limit = 20;

/**
 * `/rankings.atom`: the most searched anime of the last seven days as an Atom feed (RFC 4287), without those for adults. An
 * anime has one entry, which changes once per UTC day.
 */
export function registerRankingsFeed(
  app: FastifyInstance,
  options: { database: Pick<Database, "rankings">; getBaseUrl: () => string; now: () => Date },
): void {
  app.get(`/${rankingsFeedPath}`, async (_request, reply) => {
    const query = { period: "weekly", limit, includeAdult: false } as const;
    const { to: today, entries } = await options.database.rankings.list({ ...query, at: options.now() });
    const updated = `${new Date(today).toISOString().slice(0, 10)}T00:00:00Z`;
    const base = new URL(options.getBaseUrl().replace(/\/?$/, "/"));
    const page = escapeXml(new URL("rankings?period=weekly", base).href);
    const self = escapeXml(new URL(rankingsFeedPath, base).href);
    const written = entries.map(({ rank, anime, searches }) => {
      const { id, title } = presentAnime(anime);
      return `<entry>
<id>${escapeXml(new URL(`rankings#${id}`, base).href)}</id>
<title>${escapeXml(title.romaji ?? title.english ?? title.native ?? id)}</title>
<updated>${updated}</updated>
<link rel="alternate" type="text/html" href="${page}"/>
<summary>${rank}. ${searches} ${searches === 1 ? "search" : "searches"}</summary>
</entry>`;
    });
    return reply
      .type("application/atom+xml; charset=utf-8")
      .header("cache-control", "public, max-age=3600")
      .send(`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${self}</id>
<title>Koma: ${escapeXml(base.host)}</title>
<subtitle>The most searched anime of the last seven days</subtitle>
<updated>${updated}</updated>
<author><name>${escapeXml(base.host)}</name></author>
<link rel="self" type="application/atom+xml" href="${self}"/>
<link rel="alternate" type="text/html" href="${page}"/>
${written.join("\n")}
</feed>
`);
  });
}

/** The text in XML 1.0, without characters that it cannot contain. */
function escapeXml(text: string): string {
  const isAllowed = (character: string) =>
    !/[\p{Cs}\uFFFE\uFFFF]/u.test(character) && (character >= " " || /[\t\n\r]/.test(character));
  return Array.from(text)
    .filter(isAllowed)
    .map((character) => entities[character] ?? character)
    .join("");
}

const entities: { [character: string]: string | undefined } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};
