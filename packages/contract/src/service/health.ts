import { z } from "zod";
import { defineEndpoint } from "../endpoint/endpoint.ts";

/** The process is running. */
export const Health = z
  .object({ status: z.literal("ok").describe("Always `ok`.") })
  .describe("The process is running.")
  .meta({ examples: [{ status: "ok" }] });
export type Health = z.infer<typeof Health>;

/** The service can run searches. */
export const Readiness = z
  .object({
    status: z.literal("ready").describe("Always `ready`."),
    frameCount: z.int().min(1).describe("Frames in the index."),
  })
  .describe("The service can run searches.")
  .meta({ examples: [{ status: "ready", frameCount: 1_234_567 }] });
export type Readiness = z.infer<typeof Readiness>;

/** Responds while the process is running. */
export const getHealth = defineEndpoint({
  id: "getHealth",
  method: "GET",
  path: "/healthz",
  tag: "Operation",
  summary: "Check that the process is running",
  security: [],
  replies: { 200: { description: "It is.", body: Health } },
  isWithoutDatabase: true,
});

/** Responds with 200 while the index is loaded and not empty and the database responds. */
export const getReadiness = defineEndpoint({
  id: "getReadiness",
  method: "GET",
  path: "/readyz",
  tag: "Operation",
  summary: "Check that the service can run searches",
  description:
    "`not_ready` while the index is loading, while nothing is indexed, and while the database does not respond.",
  security: [],
  replies: { 200: { description: "They can.", body: Readiness } },
});
