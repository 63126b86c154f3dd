import type { Quota } from "@koma/contract";
import { signal } from "@preact/signals";
import { koma } from "../api/koma.ts";

/** The caller's remaining searches; undefined until the API responds. */
export const quota = signal<Quota | undefined>(undefined);

/** Loads the quota from the API. */
export async function loadQuota(): Promise<void> {
  quota.value = await koma.getQuota().catch(() => undefined);
}
