import { browser } from "wxt/browser";
import { LocalError } from "../failure.ts";
import type { PageRequest, PageResponse } from "../messages.ts";

/**
 * Sends a request to one frame of a tab, where it first loads the page script. Throws LocalError if the
 * browser denies extensions access to the page or the frame.
 */
export async function askPage(tabId: number, request: PageRequest, frameId = 0): Promise<PageResponse> {
  try {
    await browser.scripting.executeScript({ target: { tabId, frameIds: [frameId] }, files: ["/page.js"] });
  } catch {
    throw new LocalError("pageClosedToExtensions");
  }
  const response: PageResponse | null = await browser.tabs.sendMessage(tabId, request, { frameId });
  // Messages are JSON, which has no undefined.
  return response ?? undefined;
}
