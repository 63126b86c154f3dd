import { z } from "zod";

/** An anime as every answer names it. */
export const Anime = z
  .object({
    id: z.string().describe("The anime's id in this service; opaque."),
    anilistId: z.int().nullable().describe("Its number at AniList."),
    malId: z.int().nullable().describe("Its number at MyAnimeList."),
    title: z
      .object({
        romaji: z.string().nullable(),
        english: z.string().nullable(),
        native: z.string().nullable(),
      })
      .describe("At least one of the titles is known."),
    format: z.string().nullable().describe("TV, MOVIE, OVA, ONA, SPECIAL, …"),
    year: z.int().nullable().describe("The year it started."),
    isAdult: z.boolean(),
    coverUrl: z.string().nullable(),
  })
  .describe("An anime.");
export type Anime = z.infer<typeof Anime>;

/** Which episode of its anime; every field is null where unknown. */
export const Episode = z
  .object({
    season: z.int().nullable(),
    number: z
      .union([z.int(), z.string()])
      .nullable()
      .describe("A whole number, or text for what is none: `OVA 2`, `13.5`, `1-2`."),
    title: z.string().nullable(),
  })
  .describe("An episode.");
export type Episode = z.infer<typeof Episode>;
