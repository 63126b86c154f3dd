import type { Site } from "@koma/contract";
import { signal } from "@preact/signals";
import { koma } from "../api/koma.ts";

/** Limits, ways to sign in and frames to try; undefined until the API has told. */
export const site = signal<Site | undefined>(undefined);

/** Asks the API for them; where it does not answer, the page does without. */
export async function loadSite(): Promise<void> {
  site.value = await koma.getSite().catch(() => undefined);
}
