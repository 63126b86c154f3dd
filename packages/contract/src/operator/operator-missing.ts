import { z } from "zod";
import { Anime, Episode } from "../anime/anime.ts";
import { exampleOf } from "../endpoint/example.ts";
import { opaqueId } from "../endpoint/opaque-id.ts";
import { pageOf, pageQuery } from "../endpoint/page.ts";
import { MatchSource } from "../searches/match.ts";
import { auditedOperation, defineOperatorEndpoint, forAdministrators } from "./operator-endpoint.ts";

/** What an operator says about a missing scene. */
export const MissingSceneState = z
  .enum(["open", "wanted", "dismissed"], "must be open, wanted or dismissed")
  .describe("As an operator marked it. Searches of a dismissed scene still count for it.");
export type MissingSceneState = z.infer<typeof MissingSceneState>;

/** Searches whose images resemble each other and are not in the library. */
export const MissingScene = z
  .object({
    id: z.string().describe("The id of the scene."),
    searches: z.int().min(1).describe("The number of searches, of all callers."),
    firstAt: z.iso.datetime().describe("The time of the first search."),
    lastAt: z.iso.datetime().describe("The time of the last search."),
    state: MissingSceneState,
    upstream: z
      .object({
        title: Anime.shape.title,
        anilistId: Anime.shape.anilistId,
        episode: Episode.nullable().describe("The episode; null if unknown."),
        source: MatchSource,
      })
      .nullable()
      .describe("The scene that another service found last; null: none did."),
  })
  .describe("Searches whose images resemble each other and are not in the library. No image is stored.")
  .meta({
    examples: [
      {
        id: "cmi8x2k4q0031",
        searches: 42,
        firstAt: "2026-11-03T09:12:40.000Z",
        lastAt: "2026-11-20T18:02:57.391Z",
        state: "open",
        upstream: {
          title: { romaji: "Cowboy Bebop", english: "Cowboy Bebop", native: "カウボーイビバップ" },
          anilistId: 1,
          episode: exampleOf(Episode),
          source: exampleOf(MatchSource),
        },
      },
    ],
  });
export type MissingScene = z.infer<typeof MissingScene>;

/** Missing scenes, those with most searches first. */
export const MissingSceneList = pageOf(
  MissingScene,
  "Scenes that callers searched and the library does not have.",
  "Those with most searches first.",
);
export type MissingSceneList = z.infer<typeof MissingSceneList>;

/** The scenes that the library does not have. */
export const listMissingScenes = defineOperatorEndpoint({
  id: "listMissingScenes",
  method: "GET",
  path: "/api/operator/missing-scenes",
  summary: "Scenes that callers searched and the library does not have",
  description: `${forAdministrators} A scene is deleted \`KOMA_MISSING_DAYS\` after its last search.`,
  query: pageQuery.extend({
    state: MissingSceneState.default("open"),
  }),
  replies: { 200: { description: "Those with most searches first.", body: MissingSceneList } },
});

/** Marks a missing scene. */
export const markMissingScene = defineOperatorEndpoint({
  id: "markMissingScene",
  method: "POST",
  path: "/api/operator/missing-scenes/{id}",
  summary: "Mark a missing scene",
  description: auditedOperation,
  params: z.object({ id: opaqueId("The id of the missing scene.") }),
  json: z.object({ state: MissingSceneState }).meta({ examples: [{ state: "wanted" }] }),
  isRepeatable: true,
  replies: { 204: { description: "The scene is marked." } },
  errors: ["not_found"],
});
