import { z } from "zod";
import { Anime } from "../anime/anime.ts";
import { chatHeaders } from "../chats/chat-user.ts";
import { defineEndpoint } from "../endpoint/endpoint.ts";
import { exampleOf } from "../endpoint/example.ts";
import { writtenBoolean } from "../endpoint/query.ts";
import { Quota } from "../quota/quota.ts";
import { Match } from "./match.ts";
import { matchLimit } from "./match-limit.ts";

export { matchLimit };

/** The outcome of a search. */
export const SearchOutcome = z
  .enum(["found", "uncertain", "not_in_library"])
  .describe(
    "`found`: the first match is the scene; its `source` names another service that found it. `uncertain`: it may be the scene. " +
      "`not_in_library`: the scene is most likely not in the library, and matches only look similar.",
  );
export type SearchOutcome = z.infer<typeof SearchOutcome>;

/** The response to a search. */
export const SearchResult = z
  .object({
    id: z.string().describe("The search's id; opaque."),
    outcome: SearchOutcome,
    queryFrame: z
      .object({
        timestamp: z.number().min(0).describe("Seconds from the start of the animation or the video."),
      })
      .optional()
      .describe("The frame of an animation or a video that was searched; missing for an image of one frame."),
    matches: z.array(Match).max(matchLimit).describe("Best first, one per scene."),
    confirmToken: z.string().describe("Proves that a guest made this search, for its confirmation."),
    frameCount: z.int().min(0).describe("Frames that were searched."),
    tookMs: z.int().min(0).describe("Milliseconds that the search took."),
    quota: Quota,
  })
  .describe("The scenes that look like the query image.")
  .meta({
    examples: [
      {
        id: "cmi8x2k4q0003",
        outcome: "found",
        matches: [exampleOf(Match)],
        confirmToken: "4bq0xJcJ2vNnM1l8Yy3o7w",
        frameCount: 1_234_567,
        tookMs: 41,
        quota: exampleOf(Quota),
      },
    ],
  });
export type SearchResult = z.infer<typeof SearchResult>;

/** Finds the scene of an image. */
export const searchAnime = defineEndpoint({
  id: "searchAnime",
  method: "POST",
  path: "/api/anime/search",
  tag: "Search",
  summary: "Find the scene of an image",
  description:
    "Send an image as `image` or its address as `url`: exactly one of them. Returns at most 5 scenes, best first. A search that " +
    "does not end in 200 consumes no credits. An operator can name other services that get an image that is not in the library, for at most " +
    "8 seconds more (`upstream`); it remains one search.",
  security: ["guest", "session", "apiKey"],
  scope: "search",
  headers: z.object({
    "idempotency-key": z
      .string()
      .regex(/^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/, "must be 1 to 255 visible ASCII characters")
      .optional()
      .describe(
        "A request with the same key by the same caller within 24 hours gets the first response again, free of charge. " +
          "Signed-in callers get it whatever the other values are. Guests share addresses: other values give " +
          "`idempotency_key_reused`. Use a random key that nobody can guess, and a new one for each image.",
      )
      .meta({ examples: ["6f1c1b2e-4a52-4a0e-9b60-2d4f5a3c7e11"] }),
    ...chatHeaders,
  }),
  form: {
    fields: z.object({
      url: z
        .string()
        .max(2048, "must have at most 2048 characters")
        .optional()
        .describe(
          "The address of a public image or video: http or https, port 80, 443 or 1024 and above, without credentials.",
        )
        .meta({ examples: ["https://site.example/screenshot.jpg"] }),
      animeId: z
        .string()
        .regex(/^[\w-]{1,64}$/, "is not the id of an anime")
        .optional()
        .describe("Search in this anime only.")
        .meta({ examples: [exampleOf(Anime).id] }),
      isPublic: writtenBoolean()
        .default(true)
        .describe("Whether this search may appear in recent searches after its confirmation."),
      trimBorders: writtenBoolean()
        .default(true)
        .describe("Whether uniform borders of the image are removed. `false` searches the image as it is."),
      upstream: writtenBoolean()
        .default(true)
        .describe(
          "Whether the image may be sent to the services in `upstreams` of `GET /api/site` when it is not in this library: reduced to " +
            "640 pixels, without metadata. `false` sends it to none. A search of one anime sends it to none either.",
        ),
    }),
    files: {
      image:
        "JPEG, PNG, WebP, GIF, AVIF or BMP, at most 10 MiB and 50 megapixels (progressive JPEG, interlaced PNG, lossless WebP and BMP: less; AVIF: 15), " +
        "or MP4 or WebM, at most 10 MiB and 60 seconds; the content decides the format. Of an animation (GIF, WebP, PNG, AVIF) or a video the frame " +
        "with most detail is searched, of a damaged JPEG the part that can be decoded. Without a system ffmpeg the server rejects videos (`unsupported_image_type`).",
    },
  },
  isMetered: true,
  isRepeatable: true,
  replies: {
    200: { description: "The scenes found.", body: SearchResult },
  },
  errors: [
    "image_required",
    "image_and_url",
    "url_not_allowed",
    "credits_exhausted",
    "forbidden",
    "image_too_large",
    "unsupported_image_type",
    "image_unreadable",
    "idempotency_key_reused",
    "upload_too_slow",
    "url_fetch_failed",
    "guest_limit_reached",
    "hourly_limit_reached",
    "search_busy",
    "not_ready",
  ],
});
