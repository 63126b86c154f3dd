import { z } from "zod";
import { Anime, Episode } from "../anime/anime.ts";
import { defineEndpoint } from "../endpoint/endpoint.ts";
import { exampleOf } from "../endpoint/example.ts";
import { StillPaths } from "../previews/previews.ts";
import { exampleScene, MatchSource } from "../searches/match.ts";

const count = z.int().min(0);

/**
 * The data that the web page needs before a search. A page or an extension can be newer than its server, which
 * omits the optional fields.
 */
export const Site = z
  .object({
    baseUrl: z.string().describe("The base address of the service, which is a trusted origin."),
    frameCount: count.describe("Frames in the index; 0 while it is loading."),
    isLibraryPublic: z.boolean().optional().describe("Whether everybody may list the library."),
    contact: z
      .string()
      .nullish()
      .describe("A mail address or a web address of the operator; null if none is configured."),
    upstreams: z
      .array(MatchSource)
      .optional()
      .describe(
        "The services that get an image that is not in the library, in order; empty if there are none.",
      ),
    historyDays: count.optional().describe("Days after which the searches of users are deleted."),
    missingDays: count
      .optional()
      .describe(
        "Days for which the descriptor of an image that is not in the library is stored, without its maker; 0: it is not stored.",
      ),
    limits: z
      .object({
        guestSearchesPerDay: count.describe("Searches per day without an account."),
        freeCreditsPerDay: count.describe("Searches per day with an account."),
        searchesPerHour: count.describe("Searches per hour with an account."),
        imageBytes: count.describe("The maximum size of an image in bytes."),
      })
      .describe("What everybody has."),
    signIn: z
      .object({
        hasDiscord: z.boolean().describe("Whether sign-in with Discord is available."),
        oidcName: z
          .string()
          .nullable()
          .optional()
          .describe("The name of the OpenID Connect provider for sign-in; null without one."),
        allowsSignUpByMail: z
          .boolean()
          .optional()
          .describe("Whether an account is created with a mail address; false: only with that provider."),
        sendsMail: z.boolean().describe("Whether a forgotten password can be reset by mail."),
        verifiesAddresses: z.boolean().describe("Whether a sign-up must be confirmed with a link in a mail."),
      })
      .describe("The available sign-in methods."),
    examples: z
      .array(
        z.object({
          anime: Anime,
          episode: Episode.nullable().describe("The episode; null if unknown."),
          imageUrl: z.string().describe("A frame of it; signed, expires. `?size=s|m|l`."),
          previewPaths: z
            .object({ stills: StillPaths })
            .describe("Signed paths of the frame, relative to the base address. They expire."),
        }),
      )
      .describe("Frames of the sample library for a first search; empty without it."),
  })
  .describe("The data that the web page needs before a search.")
  .meta({
    examples: [
      {
        baseUrl: "https://koma.example",
        frameCount: 1_234_567,
        isLibraryPublic: true,
        contact: "operator@koma.example",
        upstreams: [exampleOf(MatchSource)],
        historyDays: 90,
        missingDays: 30,
        limits: {
          guestSearchesPerDay: 5,
          freeCreditsPerDay: 10,
          searchesPerHour: 100,
          imageBytes: 10_485_760,
        },
        signIn: {
          hasDiscord: false,
          oidcName: "Keycloak",
          allowsSignUpByMail: true,
          sendsMail: true,
          verifiesAddresses: true,
        },
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

/** The data that the web page needs before a search. */
export const getSite = defineEndpoint({
  id: "getSite",
  method: "GET",
  path: "/api/site",
  tag: "Discover",
  summary: "Get the data of the web page",
  security: [],
  replies: { 200: { description: "Limits, sign-in methods, example frames.", body: Site } },
});
