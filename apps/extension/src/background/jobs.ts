import { browser } from "wxt/browser";
import type { LocalReason } from "../failure.ts";
import type { PanelResult } from "../messages.ts";

/** One search from the capture of its image to its result. */
export type Job = {
  /** Pages cannot guess it; it is the Idempotency-Key of the search as well. */
  id: string;
  /** The tab it belongs to; absent where the panel is a tab of its own. */
  tabId?: number | undefined;
  windowId?: number | undefined;
  /** The image as a data address. */
  imageDataUrl?: string | undefined;
  /** The address of an image that the extension cannot read, which the server fetches. */
  imageUrl?: string | undefined;
  /** Why there is no image. */
  reason?: LocalReason | undefined;
  result?: PanelResult | undefined;
};

/** Jobs whose images are kept; `storage.session` holds 10 MB and one image at most 1 MB. */
const jobLimit = 4;

/**
 * Saves a job. Session storage survives the end of the background script, and page scripts have no access to
 * it.
 */
export async function saveJob(job: Job): Promise<void> {
  const { order = [] } = (await browser.storage.session.get("order")) as { order?: string[] };
  const ids = [...order.filter((id) => id !== job.id), job.id];
  const old = ids.splice(0, Math.max(0, ids.length - jobLimit));
  await browser.storage.session.remove(old.map(toKey));
  await browser.storage.session.set({ order: ids, [toKey(job.id)]: job });
}

/** Finds a job by its id. */
export async function findJob(id: string): Promise<Job | undefined> {
  const key = toKey(id);
  const { [key]: job } = (await browser.storage.session.get(key)) as { [key: string]: Job | undefined };
  return job;
}

function toKey(id: string): string {
  return `job:${id}`;
}
