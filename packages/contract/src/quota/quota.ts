import { z } from "zod";

/** The remaining searches of a caller. */
export const Quota = z
  .object({
    kind: z.enum(["guest", "credits"]).describe("Counted by address (guest) or by account (credits)."),
    limit: z.int().min(0).describe("The free searches of one day."),
    remaining: z.int().min(0).describe("The remaining searches, free and purchased."),
    resetsAt: z.iso.datetime().describe("The time at which the free searches are renewed."),
  })
  .describe("The remaining searches of a caller.")
  .meta({ examples: [{ kind: "credits", limit: 10, remaining: 16, resetsAt: "2026-11-21T00:00:00.000Z" }] });
export type Quota = z.infer<typeof Quota>;
