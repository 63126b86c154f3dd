import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";

/** The process is alive. */
export const Health = z
  .object({ status: z.literal("ok").describe("Always `ok`.") })
  .describe("The process is alive.")
  .meta({ examples: [{ status: "ok" }] });
export type Health = z.infer<typeof Health>;

/** Searches can be answered. */
export const Readiness = z
  .object({
    status: z.literal("ready").describe("Always `ready`."),
    frameCount: z.int().min(1).describe("Frames that can be found."),
  })
  .describe("Searches can be answered.")
  .meta({ examples: [{ status: "ready", frameCount: 1_234_567 }] });
export type Readiness = z.infer<typeof Readiness>;

/** Answers as long as the process is alive. */
export const getHealth = defineEndpoint({
  id: "getHealth",
  method: "GET",
  path: "/healthz",
  tag: "Operation",
  summary: "Is the process alive?",
  security: [],
  replies: { 200: { description: "It is.", body: Health } },
  isWithoutDatabase: true,
  errors: [],
});

/** Answers 200 once the index is loaded, while something is in it and the database answers. */
export const getReadiness = defineEndpoint({
  id: "getReadiness",
  method: "GET",
  path: "/readyz",
  tag: "Operation",
  summary: "Can searches be answered?",
  description:
    "`not_ready` while the index is loaded, while nothing has been indexed, and while the database does not answer.",
  security: [],
  replies: { 200: { description: "They can.", body: Readiness } },
  errors: [],
});
