import { z } from "zod";

/** What is sealed of a link that waits for its approval. */
export const LinkContent = z.object({
  deviceCode: z.string(),
  userCode: z.string().optional(),
  verificationUrl: z.string().optional(),
  /** The person wants it no more: what is approved nevertheless is ended at once. */
  isCalledOff: z.boolean().optional(),
  startedAt: z.coerce.date(),
  person: z.object({ id: z.string(), displayName: z.string(), locale: z.string().optional() }),
  /** Where its end is to be told. */
  context: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});
export type LinkContent = z.infer<typeof LinkContent>;
