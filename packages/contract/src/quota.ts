import { z } from "zod";

/** What a caller may still spend today. */
export const Quota = z
  .object({
    kind: z.enum(["guest", "credits"]).describe("Counted by address (guest) or by account (credits)."),
    limit: z.int().min(0).describe("The free searches of one day."),
    remaining: z.int().min(0).describe("Searches that can still be made now, free and purchased."),
    resetsAt: z.iso.datetime().describe("When the free searches start again."),
  })
  .describe("How many searches are left.")
  .meta({ examples: [{ kind: "credits", limit: 10, remaining: 16, resetsAt: "2026-11-21T00:00:00.000Z" }] });
export type Quota = z.infer<typeof Quota>;
