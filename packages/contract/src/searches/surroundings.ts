import { z } from "zod";
import { Episode } from "../anime/anime.ts";
import { defineEndpoint } from "../endpoint/endpoint.ts";
import { exampleOf } from "../endpoint/example.ts";
import { opaqueId, opaqueToken } from "../endpoint/opaque-id.ts";
import { decimalInteger } from "../endpoint/query.ts";
import { matchLimit } from "./search-anime.ts";

const seconds = z.number().min(0);
const path = z.string();
const expiring = "A signed path, relative to the base address. It expires.";

/** The shots and clips around a match. */
export const Surroundings = z
  .object({
    shots: z
      .array(
        z.object({
          from: seconds.describe("Seconds into the video of the shot's first frame."),
          to: seconds.describe("Seconds into the video of its last frame."),
          stillPath: path.describe(
            `A still of the shot. ${expiring} Append \`&quick=true\` for the stored one of at most 320 pixels.`,
          ),
        }),
      )
      .max(15)
      .describe("At most 15 shots with a stored still, in order: those nearest to the timestamp."),
    clips: z
      .array(
        z.object({
          from: seconds.describe("Seconds into the video at which the clip starts."),
          to: seconds.describe("Seconds into the video at which the clip ends."),
          path: path.describe(`The clip with sound, 360 pixels high. ${expiring}`),
          mutedPath: path.describe(`The clip without sound. ${expiring}`),
        }),
      )
      .max(3)
      .describe("Clips of 5, 15 and 30 seconds around the timestamp; shorter at the ends of the video."),
    occurrences: z
      .array(
        z.object({
          episode: Episode.nullable().describe("The episode; null if unknown."),
          from: seconds.describe("Seconds into the video at which the scene starts."),
          to: seconds.describe("Seconds into the video at which the scene ends."),
          stillPath: path.describe(`A still of the middle. ${expiring} It can have \`&quick=true\` too.`),
        }),
      )
      .max(20)
      .default([])
      .describe("The `otherOccurrences` of the match, in the same order, with stills."),
  })
  .describe("The shots and clips around a match, and the other scenes with the same content.")
  .meta({
    examples: [
      {
        shots: [{ from: 748.5, to: 751.9, stillPath: "/previews/still/…/750208.jpg?size=m" }],
        clips: [
          {
            from: 751.75,
            to: 756.75,
            path: "/previews/clip/…/751750-756750.mp4?size=m",
            mutedPath: "/previews/clip/…/751750-756750.mp4?size=m&mute=true",
          },
        ],
        occurrences: [
          {
            episode: exampleOf(Episode),
            from: 62,
            to: 66.5,
            stillPath: "/previews/still/…/64250.jpg?size=m",
          },
        ],
      },
    ],
  });
export type Surroundings = z.infer<typeof Surroundings>;

/** The shots and clips around a match of a stored search, free of charge. */
export const getSurroundings = defineEndpoint({
  id: "getSurroundings",
  method: "GET",
  path: "/api/anime/searches/{id}/surroundings",
  tag: "Search",
  summary: "The shots around a match",
  description:
    "The shots within 30 seconds of a match, clips of other lengths, and stills of the other scenes with the same content. Readable by those who can read the search. Free of charge.",
  security: ["guest", "session", "apiKey"],
  scope: "search",
  params: z.object({ id: opaqueId("The search's id.") }),
  query: z.object({
    rank: decimalInteger({ minimum: 1, maximum: matchLimit }).default(1).describe("The rank of the match."),
    confirmToken: opaqueToken("The `confirmToken` of a guest's search.").optional(),
  }),
  replies: { 200: { description: "The shots and clips.", body: Surroundings } },
  errors: ["not_found"],
});
