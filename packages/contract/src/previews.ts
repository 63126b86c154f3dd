import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";

/** How large a preview is. */
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
    .describe("Unix seconds after which the address ends.")
    .meta({ examples: ["1795222800"] }),
  signature: z
    .string()
    .max(64)
    .describe("Proves that the service made the address.")
    .meta({ examples: ["k3Jf0aQz"] }),
};

/** A still of a scene, at an address that a search gave out. */
export const getStill = defineEndpoint({
  id: "getStill",
  method: "GET",
  path: "/previews/still/{episodeId}/{expires}/{signature}/{cut}",
  tag: "Previews",
  summary: "A still of a scene",
  description: "The address is the `imageUrl` of a match.",
  security: [],
  params: z.object({
    ...signed,
    cut: z
      .string()
      .regex(/^\d{1,10}\.jpg$/)
      .describe("Milliseconds, `.jpg`.")
      .meta({ examples: ["754250.jpg"] }),
  }),
  query: z.object({ size: PreviewSize.default("m") }),
  replies: { 200: { description: "The still.", contentType: "image/jpeg" } },
  errors: ["forbidden", "not_found", "search_busy"],
});

/** A clip of a scene, at an address that a search gave out. */
export const getClip = defineEndpoint({
  id: "getClip",
  method: "GET",
  path: "/previews/clip/{episodeId}/{expires}/{signature}/{cut}",
  tag: "Previews",
  summary: "A clip of a scene",
  description: "The address is the `videoUrl` of a match. Answers requests for a part (`Range`) too.",
  security: [],
  params: z.object({
    ...signed,
    cut: z
      .string()
      .regex(/^\d{1,10}-\d{1,10}\.mp4$/)
      .describe("Milliseconds from and to, `.mp4`.")
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
    206: { description: "The part that was asked for.", contentType: "video/mp4" },
  },
  errors: ["forbidden", "not_found", "range_not_satisfiable", "search_busy"],
});
