import type { Site } from "@koma/contract";
import { signal } from "@preact/signals";
import { koma } from "../api/koma.ts";

/** Limits, sign-in methods and example frames; undefined until the API responds. */
export const site = signal<Site | undefined>(undefined);

/** Loads them from the API. The page works without them. */
export async function loadSite(): Promise<void> {
  site.value = await koma.getSite().catch(() => undefined);
}
