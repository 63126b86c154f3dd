import { z } from "zod";

/** An anime in every response. */
export const Anime = z
  .object({
    id: z.string().describe("The anime's id in this service; opaque."),
    anilistId: z.int().nullable().describe("Its id at AniList."),
    malId: z.int().nullable().describe("Its id at MyAnimeList."),
    title: z
      .object({
        romaji: z
          .string()
          .nullable()
          .describe("The romanized title, or the file's name if no title is known."),
        english: z.string().nullable().describe("In English."),
        native: z.string().nullable().describe("The title in its original language and script."),
      })
      .describe("At least one of the titles is known."),
    format: z.string().nullable().describe("TV, MOVIE, OVA, ONA, SPECIAL, …"),
    year: z.int().nullable().describe("The year in which it started."),
    isAdult: z.boolean().describe("For adults only."),
    coverUrl: z.string().nullable().describe("The address of its cover at the source of the metadata."),
    coverPath: z
      .string()
      .nullable()
      .optional()
      .describe(
        "The path of its cover on this server, relative to the base address; null if none is stored.",
      ),
    studios: z.array(z.string()).optional().describe("Its main studios, as far as they are known."),
    links: z
      .array(
        z.object({
          site: z.string().describe("The name of the site."),
          url: z.string().describe("Its page about the anime, an https address."),
        }),
      )
      .optional()
      .describe("Where it can be watched, as AniList lists it; empty if that is unknown. At most eight."),
  })
  .describe("An anime.")
  .meta({
    examples: [
      {
        id: "cmi8x2k4q0001",
        anilistId: 1,
        malId: 1,
        title: { romaji: "Cowboy Bebop", english: "Cowboy Bebop", native: "カウボーイビバップ" },
        format: "TV",
        year: 1998,
        isAdult: false,
        coverUrl: null,
        coverPath: "/previews/cover/cmi8x2k4q0001/9f86d081884c7d65.webp",
        studios: ["Sunrise"],
        links: [{ site: "Crunchyroll", url: "https://www.crunchyroll.com/series/GYVNC2WPR" }],
      },
    ],
  });
export type Anime = z.infer<typeof Anime>;

/** An episode of an anime; unknown fields are null. */
export const Episode = z
  .object({
    season: z.int().nullable().describe("The season, if the seasons of an anime share one entry."),
    number: z
      .union([z.int(), z.string()])
      .nullable()
      .describe("A whole number, or a text for other numbers: `OVA 2`, `13.5`, `1-2`."),
    title: z.string().nullable().describe("Its own title."),
  })
  .describe("An episode.")
  .meta({ examples: [{ season: null, number: 3, title: null }] });
export type Episode = z.infer<typeof Episode>;
