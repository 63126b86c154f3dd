import { z } from "zod";

/** An anime as every answer names it. */
export const Anime = z
  .object({
    id: z.string().describe("The anime's id in this service; opaque."),
    anilistId: z.int().nullable().describe("Its number at AniList."),
    malId: z.int().nullable().describe("Its number at MyAnimeList."),
    title: z
      .object({
        romaji: z
          .string()
          .nullable()
          .describe("In Latin letters as it is spoken; the file's name where no more is known."),
        english: z.string().nullable().describe("In English."),
        native: z.string().nullable().describe("As it is written where it was made."),
      })
      .describe("At least one of the titles is known."),
    format: z.string().nullable().describe("TV, MOVIE, OVA, ONA, SPECIAL, …"),
    year: z.int().nullable().describe("The year it started."),
    isAdult: z.boolean().describe("For adults only."),
    coverUrl: z.string().nullable().describe("Address of its cover."),
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
      },
    ],
  });
export type Anime = z.infer<typeof Anime>;

/** Which episode of its anime; every field is null where unknown. */
export const Episode = z
  .object({
    season: z.int().nullable().describe("Where the seasons of one anime are not anime of their own."),
    number: z
      .union([z.int(), z.string()])
      .nullable()
      .describe("A whole number, or text for what is none: `OVA 2`, `13.5`, `1-2`."),
    title: z.string().nullable().describe("Its own title."),
  })
  .describe("An episode.")
  .meta({ examples: [{ season: null, number: 3, title: null }] });
export type Episode = z.infer<typeof Episode>;
