import type { SignedIn } from "../api/auth.ts";
import { koma } from "../api/koma.ts";
import { listTokensBefore, removeTokens } from "./search-tokens.ts";

/** Adds what this browser searched as a guest before the account existed to the history of the account. */
export async function addGuestSearches({ createdAt }: SignedIn): Promise<void> {
  const searches = listTokensBefore(createdAt.getTime());
  if (searches.length === 0) return;
  await koma.addUserSearches({ searches });
  removeTokens(new Set(searches.map(({ id }) => id)));
}
