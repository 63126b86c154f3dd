import { z } from "zod";
import { chatHeaders } from "../chats/chat-user.ts";
import { defineEndpoint } from "../endpoint/endpoint.ts";
import { opaqueId } from "../endpoint/opaque-id.ts";
import { writtenBoolean } from "../endpoint/query.ts";

/** The size of a preview. */
export const PreviewSize = z.enum(["s", "m", "l"]).describe("Small, medium or large.");
export type PreviewSize = z.infer<typeof PreviewSize>;

const signed = {
  episodeId: z
    .string()
    .max(64)
    .describe("The episode's id.")
    .meta({ examples: ["cmi8x2k4q0002"] }),
  expires: z
    .string()
    .regex(/^\d{1,12}$/)
    .describe("The expiry of the address in Unix seconds.")
    .meta({ examples: ["1795222800"] }),
  signature: z
    .string()
    .max(64)
    .describe("The signature of the address.")
    .meta({ examples: ["k3Jf0aQz"] }),
};

const path = z.string();

/** The signed paths of stills, by size. */
export const StillPaths = z
  .object({ s: path.describe("320 pixels wide."), m: path.describe("640."), l: path.describe("1280.") })
  .describe("Stills of the scene.");

const ClipPaths = z.object({
  s: path.describe("180 pixels high."),
  m: path.describe("360."),
  l: path.describe("720."),
});

/** The signed paths of all previews of a match, relative to the base address. */
export const PreviewPaths = z
  .object({
    stills: StillPaths,
    clips: ClipPaths.nullable().describe("Clips of the scene with sound. Null: the video is not here."),
    mutedClips: ClipPaths.nullable().describe(
      "Clips of the scene without sound. Null: the video is not here.",
    ),
  })
  .describe(
    "Signed paths of the previews, relative to the base address. They expire. Their query is a part of what is signed.",
  );
export type PreviewPaths = z.infer<typeof PreviewPaths>;

/** A still of a scene, at a signed address. */
export const getStill = defineEndpoint({
  id: "getStill",
  method: "GET",
  path: "/previews/still/{episodeId}/{expires}/{signature}/{cut}",
  tag: "Previews",
  summary: "Get a still of a scene",
  description:
    "The address is the `imageUrl` of a match, with any `size`, or one of its `previewPaths`, whose size is signed.",
  security: ["guest", "apiKey"],
  scope: "search",
  headers: z.object(chatHeaders),
  params: z.object({
    ...signed,
    cut: z
      .string()
      .regex(/^\d{1,10}\.jpg$/)
      .describe("Milliseconds, `.jpg`.")
      .meta({ examples: ["754250.jpg"] }),
  }),
  query: z.object({
    size: PreviewSize.default("m"),
    quick: writtenBoolean()
      .default(false)
      .describe(
        "While the still is not in the cache: another frame of the same shot at once, at most 320 pixels wide and " +
          "not cacheable. It may be appended to every address of a still. Then request the address without it.",
      ),
  }),
  replies: { 200: { description: "The still.", contentType: "image/jpeg" } },
  errors: ["forbidden", "not_found", "search_busy"],
});

/** The still of a shared scene, at an address that does not expire. */
export const getSharedStill = defineEndpoint({
  id: "getSharedStill",
  method: "GET",
  path: "/previews/shared/{id}",
  tag: "Previews",
  summary: "Get the still of a shared search",
  description:
    "The still of the confirmed scene of a public search, which link previews show. Searches that are private, " +
    "unconfirmed or of adult anime respond as unknown ones do.",
  security: ["guest", "apiKey"],
  scope: "search",
  headers: z.object(chatHeaders),
  params: z.object({ id: opaqueId("The search's id.") }),
  replies: { 200: { description: "The still.", contentType: "image/jpeg" } },
  errors: ["not_found", "search_busy"],
});

/** A clip of a scene, at a signed address. */
export const getClip = defineEndpoint({
  id: "getClip",
  method: "GET",
  path: "/previews/clip/{episodeId}/{expires}/{signature}/{cut}",
  tag: "Previews",
  summary: "Get a clip of a scene",
  description:
    "The address is the `videoUrl` of a match, with any `size` and `mute`, or one of its `previewPaths`, whose size " +
    "and sound are signed. Supports range requests (`Range`).",
  security: ["guest", "apiKey"],
  scope: "search",
  headers: z.object(chatHeaders),
  params: z.object({
    ...signed,
    cut: z
      .string()
      .regex(/^\d{1,10}-\d{1,10}\.mp4$/)
      .describe("The range in milliseconds, `.mp4`.")
      .meta({ examples: ["752000-756500.mp4"] }),
  }),
  query: z.object({
    size: PreviewSize.default("m"),
    mute: z
      .enum(["", "true", "false"])
      .transform((written) => written !== "false")
      .pipe(z.boolean())
      .default(false)
      .describe("Without sound; `?mute` alone will do."),
  }),
  replies: {
    200: { description: "The clip.", contentType: "video/mp4" },
    206: { description: "The requested byte range.", contentType: "video/mp4" },
  },
  errors: ["forbidden", "not_found", "range_not_satisfiable", "search_busy"],
});
