import type { OpenApiObject } from "@koma/contract";
import { z } from "zod";

const quota = {
  quota: z.number().describe("The searches a day."),
  quotaUsed: z.number().describe("The searches of today."),
};
const anilistId = z.int().nullable().describe("The AniList id; null where unknown.");
const text = z.string().nullable();

const AnilistInfo = z
  .object({
    id: anilistId,
    idMal: z.int().nullable().describe("The MyAnimeList id."),
    title: z.object({ native: text, romaji: text, english: text }).describe("The titles."),
    synonyms: z.array(z.string()).describe("Other titles."),
    isAdult: z.boolean().describe("Whether it is for adults."),
    format: text.describe("The format, such as `TV`."),
    startDate: z
      .object({ year: z.int().nullable(), month: z.null(), day: z.null() })
      .describe("The year of the first episode."),
    genres: z.array(z.string()).describe("Always empty."),
    coverImage: z.object({ large: text }).describe("The address of the cover."),
  })
  .describe("The library's metadata, with `anilistInfo`.");

const Match = z.object({
  anilist: z.union([anilistId, AnilistInfo]).describe("The AniList id, or an object with `anilistInfo`."),
  filename: z.string().describe("The name of the video file."),
  episode: z.union([z.number(), z.string()]).nullable().describe("The number of the episode."),
  episode_start: z.number().nullable().describe("The first number of the file."),
  episode_end: z.number().nullable().describe("The last number of the file."),
  from: z.number().describe("The start of the scene in seconds."),
  at: z.number().describe("The time of the frame in seconds."),
  to: z.number().describe("The end of the scene in seconds."),
  same_from: z
    .number()
    .nullable()
    .describe("The start of the frames that look like the one at `at`, in seconds; an addition of Koma."),
  same_to: z
    .number()
    .nullable()
    .describe("The end of the frames that look like the one at `at`, in seconds; an addition of Koma."),
  duration: z.number().describe("The length of the video in seconds."),
  similarity: z.number().min(0).max(1).describe("Below 0.90 the match is uncertain."),
  video: z
    .string()
    .describe("The address of the clip; takes `size` (s, m, l), `mute`, `minDuration` and `maxDuration`."),
  image: z.string().describe("The address of the still; takes `size` (s, m, l); WebP by `Accept`."),
});

/** The response to a search. The quota is missing where no video has the AniList id. */
export const TraceMoeSearch = z.object({
  frameCount: z.int().describe("The frames of the library."),
  error: z.string().describe("Empty."),
  ...z.object(quota).partial().shape,
  result: z.array(Match).max(10).describe("The matches, the best first."),
});

/** The response about a caller. */
const TraceMoeCaller = z.object({
  id: z.string().describe("The email address of the user, or the IP address of the guest."),
  priority: z.int().describe("Always 0."),
  concurrency: z.int().describe("The searches at the same time: 1 for guests, 4 for API keys."),
  ...quota,
});

const time = z.iso.datetime();

/** The searches of a time, by status. */
export const TraceMoeTraffic = z.array(
  z
    .object({ time: time.describe("The start of the minute, the hour or the day."), total: z.int() })
    .catchall(z.int())
    .describe("Koma counts successful searches, `200`, that are still stored; the other statuses are 0."),
);

/** Percentiles over time. */
export const TraceMoePercentiles = z.array(
  z.object({
    time: time.describe("The start of the minute, the hour or the day."),
    ...{ p0: z.number(), p10: z.number(), p25: z.number(), p50: z.number(), p75: z.number() },
    ...{ p90: z.number(), p100: z.number() },
  }),
);

/** Anime whose titles contain a text. */
export const TraceMoeAnime = z.array(
  z.object({
    id: anilistId,
    title: z.string().describe("The most similar title."),
    similarity: z.number().min(0).max(1).describe("The share of common trigrams."),
    anilist: AnilistInfo,
  }),
);

/** The size of the library. */
export const TraceMoeStatus = z.object({
  updated: time.nullable().describe("When an episode was last indexed."),
  rowCount: z.int().describe("The frames of the search index."),
  memory: z.int().describe("Always 0, as the next four."),
  memoryUsage: z.int(),
  storage: z.int(),
  storageFree: z.int(),
  storageAvailable: z.int(),
  mediaCount: z.int().describe("The episodes."),
  mediaFramesTotal: z.int().describe("The frames."),
  mediaDurationTotal: z.number().describe("The seconds of video."),
});

/** The files of an anime. */
export const TraceMoeFiles = z.array(z.object({ path: z.string().describe("AniList id and file name.") }));

/** An error response of `/trace.moe/*`. */
const TraceMoeProblem = z.object({
  error: z.string().describe("What happened."),
  ...z.object(quota).partial().shape,
});

const errors = {
  400: "The image or its address is unusable.",
  402: "The quota is depleted, or more searches run at the same time than `concurrency`.",
  403: "The API key is invalid, or the library is not public.",
  405: "There is no image, or the method is wrong.",
  408: "The upload was too slow.",
  413: "The file is larger than 25 MiB.",
  429: "Too many requests; `Retry-After` says when the next one is possible.",
  503: "The search is busy or not ready.",
};

function toContent(schema: z.ZodType): OpenApiObject {
  const { $schema: _dialect, ...described } = z.toJSONSchema(schema, {
    target: "draft-2020-12",
    io: "input",
  });
  return { "application/json": { schema: described } };
}

function operation(
  operationId: string,
  summary: string,
  described: { description: string; parameters: OpenApiObject[] },
  [result, schema, statuses]: [description: string, schema: z.ZodType, statuses: (keyof typeof errors)[]],
): OpenApiObject {
  const problem = toContent(TraceMoeProblem);
  const failures = statuses.map((status) => [status, { description: errors[status], content: problem }]);
  return {
    ...{ tags: ["Integrations"], security: [{}, { traceKey: [] }], operationId, summary, ...described },
    responses: { 200: { description: result, content: toContent(schema) }, ...Object.fromEntries(failures) },
  };
}

function parameter(name: string, description: string, schema: OpenApiObject): OpenApiObject {
  return { name, in: "query", required: false, description, schema };
}

const flag = { type: "string" };
const period = { type: "string", enum: ["minute", "hour", "day"] };
const key = parameter("key", "An API key, in place of the header.", { type: "string" });
const searchParameters = [
  parameter("url", "The address of a public image, in place of a body.", { type: "string" }),
  parameter("anilistID", "Only videos with this AniList id.", { type: "integer", minimum: 1 }),
  parameter("anilistInfo", "With it `anilist` is an object. Its value does not matter.", flag),
  parameter("cutBorders", "Accepted; borders are always cut.", flag),
  parameter("size", "The size of the previews.", { type: "string", enum: ["s", "m", "l"], default: "m" }),
  parameter("mute", "With it the clips have no sound. Its value does not matter.", flag),
  key,
];
const description =
  "As the API of trace.moe. A search counts against the same quota as `POST /api/anime/search`. Errors are `{ error }`.";
const search = { description, parameters: searchParameters };
const found: Parameters<typeof operation>[3] = [
  "The matches.",
  TraceMoeSearch,
  [400, 402, 403, 405, 408, 413, 429, 503],
];
const image = { type: "string", format: "binary", description: "The image." };

/** The API of trace.moe, as OpenAPI paths. */
export const traceMoePaths: OpenApiObject = {
  "/trace.moe/search": {
    get: operation("traceMoeSearchUrl", "trace.moe: find a scene by an image address", search, found),
    post: {
      ...operation("traceMoeSearch", "trace.moe: find a scene", search, found),
      requestBody: {
        content: {
          "multipart/form-data": { schema: { type: "object", properties: { image } } },
          "image/*": { schema: image },
        },
      },
    },
  },
  "/trace.moe/me": {
    get: operation(
      "traceMoeMe",
      "trace.moe: the quota of the caller",
      {
        description,
        parameters: [
          parameter(
            "period",
            "With it the searches of the caller by minute (an hour), hour (72 hours) or day (60 days).",
            period,
          ),
          key,
        ],
      },
      ["The quota, or the searches.", z.union([TraceMoeCaller, TraceMoeTraffic]), [400, 403, 429, 503]],
    ),
  },
  "/trace.moe/anilist": {
    get: operation(
      "traceMoeAnilist",
      "trace.moe: find anime by title",
      {
        description: "The anime of the library.",
        parameters: [parameter("q", "A part of a title or a synonym.", { type: "string" })],
      },
      ["The anime, the most similar title first.", TraceMoeAnime, [400, 429]],
    ),
  },
  "/trace.moe/status": {
    get: operation(
      "traceMoeStatus",
      "trace.moe: the size of the library",
      {
        description: "With `id` the files of an anime, if `KOMA_PUBLIC_LIBRARY` is set.",
        parameters: [parameter("id", "The AniList id.", { type: "integer", minimum: 1 })],
      },
      ["The size, or the files.", z.union([TraceMoeStatus, TraceMoeFiles]), [400, 403, 429]],
    ),
  },
  "/trace.moe/stats": {
    get: operation(
      "traceMoeStats",
      "trace.moe: searches, their speed and their similarity over time",
      {
        description: "If `KOMA_PUBLIC_LIBRARY` is set.",
        parameters: [
          parameter("type", "The numbers.", { type: "string", enum: ["traffic", "speed", "accuracy"] }),
          parameter("period", "By minute (an hour), hour (72 hours) or day (60 days).", period),
        ],
      },
      ["The numbers over time.", z.union([TraceMoeTraffic, TraceMoePercentiles]), [400, 403, 429]],
    ),
  },
};

/** The security scheme of these paths. */
export const traceKey: OpenApiObject = {
  type: "apiKey",
  in: "header",
  name: "x-trace-key",
  description: "An API key of Koma, as trace.moe's clients send theirs.",
};
