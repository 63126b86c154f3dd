import type { Quota } from "@koma/contract";
import { signal } from "@preact/signals";
import { koma } from "../api/koma.ts";

/** What is left to search with; undefined until the API has told. */
export const quota = signal<Quota | undefined>(undefined);

/** Asks the API what is left. */
export async function loadQuota(): Promise<void> {
  quota.value = await koma.getQuota().catch(() => undefined);
}
