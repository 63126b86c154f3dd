import type { BackgroundDefinition } from "wxt";
import { browser } from "wxt/browser";
import { defineBackground } from "wxt/utils/define-background";
import { originOf } from "../background/capture.ts";
import { findJob } from "../background/jobs.ts";
import { loadPreview } from "../background/load-preview.ts";
import { createMenus, sourceOf } from "../background/menus.ts";
import { runSearch } from "../background/run-search.ts";
import { showJob, startSearch } from "../background/start-search.ts";
import type { PanelRequest } from "../messages.ts";
import { readSettings } from "../settings.ts";

/** The background script: it receives the browser's events and does all work that pages must not do. */
const background: BackgroundDefinition = defineBackground(() => {
  // Keeps the API key away from the scripts in pages.
  void browser.storage.local.setAccessLevel?.({ accessLevel: "TRUSTED_CONTEXTS" });

  browser.runtime.onInstalled.addListener(async ({ reason }) => {
    await createMenus();
    if (reason === "install" && (await readSettings()) === undefined) await browser.runtime.openOptionsPage();
  });

  browser.contextMenus.onClicked.addListener(async (info, tab) => {
    const source = sourceOf(info.menuItemId);
    const origin = tab && originOf(tab);
    if (source === undefined || origin === undefined) return;
    const { frameId, frameUrl } = info;
    // The address of a link or selection is not the one of a video.
    const srcUrl = info.mediaType === undefined ? undefined : info.srcUrl;
    await startSearch(source, { ...origin, frameId, frameUrl, srcUrl });
  });

  browser.action.onClicked.addListener(async (tab) => {
    const origin = originOf(tab);
    if (origin !== undefined) await showJob(origin, {});
  });

  browser.runtime.onMessage.addListener((request: PanelRequest, sender, respond) => {
    // Only pages of the extension itself may send requests; scripts in pages may not.
    if (sender.id !== browser.runtime.id || !isOwnPage(sender.url)) return false;
    response(request).then(respond, () => respond(undefined));
    return true;
  });
});

export default background;

async function response(request: PanelRequest): Promise<unknown> {
  switch (request.kind) {
    case "getJob": {
      const job = await findJob(request.jobId);
      if (job === undefined) return undefined;
      const isSearchable = [job.imageDataUrl, job.imageUrl, job.reason].some((part) => part !== undefined);
      return {
        imageDataUrl: job.imageDataUrl ?? job.imageUrl,
        canCapture: job.tabId !== undefined,
        isSearchable,
      };
    }
    case "search":
      return await runSearch(request.jobId);
    case "loadPreview":
      return await loadPreview(request.jobId, request.rank, request.what);
    case "capture": {
      const { tabId, windowId } = (await findJob(request.jobId)) ?? {};
      if (tabId !== undefined && windowId !== undefined)
        await startSearch(request.source, { tabId, windowId });
      return undefined;
    }
    case "openSettings":
      return await browser.runtime.openOptionsPage();
  }
}

function isOwnPage(url: string | undefined): boolean {
  return url?.startsWith(browser.runtime.getURL("/")) === true;
}
