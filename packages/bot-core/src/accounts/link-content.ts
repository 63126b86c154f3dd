import { z } from "zod";

/** The encrypted content of a link that waits for its approval. */
export const LinkContent = z.object({
  deviceCode: z.string(),
  userCode: z.string().optional(),
  verificationUrl: z.string().optional(),
  /** True if the person cancelled the link: a key that is approved nevertheless is revoked at once. */
  isCalledOff: z.boolean().optional(),
  startedAt: z.coerce.date(),
  person: z.object({ id: z.string(), displayName: z.string(), locale: z.string().optional() }),
  /** The message that reports the outcome. */
  context: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});
export type LinkContent = z.infer<typeof LinkContent>;
