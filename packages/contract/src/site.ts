import { z } from "zod";
import { Anime, Episode } from "./anime.ts";
import { defineEndpoint } from "./endpoint.ts";
import { exampleScene } from "./match.ts";
import { StillPaths } from "./previews.ts";

const count = z.int().min(0);

/** What a page of this service shows before anybody has asked for anything. */
export const Site = z
  .object({
    baseUrl: z.string().describe("The address under which the service is reached; the site it trusts."),
    frameCount: count.describe("Frames that can be found; 0 while they are being loaded."),
    limits: z
      .object({
        guestSearchesPerDay: count.describe("Searches a day without an account."),
        freeCreditsPerDay: count.describe("Searches a day with one."),
        searchesPerHour: count.describe("Searches an hour with one."),
        imageBytes: count.describe("The maximum size of an image in bytes."),
      })
      .describe("What everybody has."),
    signIn: z
      .object({
        hasDiscord: z.boolean().describe("People can sign in with Discord."),
        sendsMail: z.boolean().describe("A forgotten password can be replaced by mail."),
        verifiesAddresses: z.boolean().describe("Who signs up must first open a link that comes by mail."),
      })
      .describe("How people sign in."),
    examples: z
      .array(
        z.object({
          anime: Anime,
          episode: Episode.nullable().describe("The episode; null where nothing is known of it."),
          imageUrl: z.string().describe("A frame of it; signed, expires. `?size=s|m|l`."),
          previewPaths: z
            .object({ stills: StillPaths })
            .describe("Signed paths of the frame, relative to the base address. They expire."),
        }),
      )
      .describe("Frames of the sample library to try a search with; none where it is not there."),
  })
  .describe("What a page of this service shows before anybody has asked for anything.")
  .meta({
    examples: [
      {
        baseUrl: "https://koma.example",
        frameCount: 1_234_567,
        limits: {
          guestSearchesPerDay: 5,
          freeCreditsPerDay: 10,
          searchesPerHour: 100,
          imageBytes: 10_485_760,
        },
        signIn: { hasDiscord: false, sendsMail: true, verifiesAddresses: true },
        examples: [
          {
            anime: exampleScene.anime,
            episode: exampleScene.episode,
            imageUrl: "https://koma.example/previews/still/cmi8x2k4q0002/1795222800/k3Jf0aQz/754250.jpg",
            previewPaths: {
              stills: {
                s: "/previews/still/cmi8x2k4q0002/1795222800/Yw81nVbe/754250.jpg?size=s",
                m: "/previews/still/cmi8x2k4q0002/1795222800/k3Jf0aQz/754250.jpg?size=m",
                l: "/previews/still/cmi8x2k4q0002/1795222800/Vf5tGh2s/754250.jpg?size=l",
              },
            },
          },
        ],
      },
    ],
  });
export type Site = z.infer<typeof Site>;

/** What a page of this service needs to begin with. */
export const getSite = defineEndpoint({
  id: "getSite",
  method: "GET",
  path: "/api/site",
  tag: "Discover",
  summary: "What a page needs to begin with",
  security: [],
  replies: { 200: { description: "Limits, ways to sign in, frames to try.", body: Site } },
  errors: [],
});
