import { browser } from "wxt/browser";
import { LocalError } from "../failure.ts";
import type { Source } from "../messages.ts";
import { type Capture, capture, type Origin } from "./capture.ts";
import { type Job, saveJob } from "./jobs.ts";
import { askPage } from "./page-script.ts";

/** Captures an image and shows it in the panel, which then starts its search. */
export async function startSearch(source: Source, origin: Origin): Promise<void> {
  try {
    const captured = await capture(source, origin);
    if (captured !== undefined) await showJob(origin, captured);
  } catch (error) {
    if (!(error instanceof LocalError)) throw error;
    await showJob(origin, { reason: error.reason });
  }
}

/** Shows the panel; without content, it offers the choice of what to capture. */
export async function showJob(origin: Origin, content: Capture | Pick<Job, "reason">): Promise<void> {
  const job: Job = { id: crypto.randomUUID(), tabId: origin.tabId, windowId: origin.windowId, ...content };
  await saveJob(job);
  try {
    await askPage(origin.tabId, { kind: "showPanel", jobId: job.id });
  } catch (error) {
    if (!(error instanceof LocalError)) throw error;
    // The page is closed to extensions, so the panel is a tab of its own: Chromium blocks `panel.html`, which
    // has a dynamic address, as the document of a tab.
    const hasContent = "imageDataUrl" in content || "imageUrl" in content;
    await saveJob({ ...job, tabId: undefined, ...(hasContent ? {} : { reason: error.reason }) });
    await browser.tabs.create({
      url: browser.runtime.getURL(`/tab.html#${job.id}`),
      openerTabId: origin.tabId,
    });
  }
}
