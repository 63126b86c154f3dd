import { z } from "zod";

/** What an API key may do: `search` images and read the results, or read the credits and searches of its owner's account. */
export const ApiKeyScope = z
  .enum(["search", "account"])
  .describe(
    "`search`: search images and read the results. `account`: read the credits and the searches of the account.",
  );
export type ApiKeyScope = z.infer<typeof ApiKeyScope>;
