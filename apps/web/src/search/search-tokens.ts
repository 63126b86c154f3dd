import type { SignedIn } from "../api/auth.ts";
import { koma } from "../api/koma.ts";
import { load, save } from "../state/local-storage.ts";

/** For this long a search can be confirmed. */
export const confirmableMs = 86_400_000;

/** Saves the token by which a guest's search is recognized after a reload. */
export function saveToken(id: string, token: string): void {
  const saved = readTokens().filter(([, , atMs]) => Date.now() - atMs < confirmableMs);
  save("searches", JSON.stringify([[id, token, Date.now()], ...saved].slice(0, 50)));
}

/** The token of a search; undefined if this device has none. */
export function loadToken(id: string): string | undefined {
  return readTokens().find(([known]) => known === id)?.[1];
}

/** Adds what this browser searched as a guest before the account existed to the history of the account. */
export async function addGuestSearches({ createdAt }: SignedIn): Promise<void> {
  const searches = readTokens()
    .filter(([, , atMs]) => atMs < createdAt.getTime() && Date.now() - atMs < confirmableMs)
    .map(([id, confirmToken]) => ({ id, confirmToken }));
  if (searches.length === 0) return;
  await koma.addUserSearches({ searches });
  const added = new Set(searches.map(({ id }) => id));
  save("searches", JSON.stringify(readTokens().filter(([id]) => !added.has(id))));
}

/**
 * Takes the token out of the fragment of the address. The extension puts it there: browsers do not send
 * fragments.
 */
export function takeToken(id: string): void {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (token === null) return;
  saveToken(id, token);
  history.replaceState(history.state, "", location.pathname + location.search);
}

function readTokens(): [id: string, token: string, atMs: number][] {
  try {
    const saved: unknown = JSON.parse(load("searches") ?? "[]");
    return Array.isArray(saved) ? saved : [];
  } catch {
    return [];
  }
}
