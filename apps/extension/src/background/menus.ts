import { browser } from "wxt/browser";
import type { Source } from "../messages.ts";
import { text } from "../texts.ts";

const pageContexts = ["page", "frame", "link", "selection"] as const;

/** The entries of the context menu by their id, with the kind of search behind them. */
const entries = {
  image: { source: "image", title: "menuImage", contexts: ["image"] },
  video: { source: "video", title: "menuVideo", contexts: ["video"] },
  // Many players cover their video, so that the menu of the page opens there.
  "page-video": { source: "video", title: "menuVideo", contexts: pageContexts },
  region: { source: "region", title: "menuRegion", contexts: pageContexts },
} as const;

/** Creates the entries of the context menu, replacing those of an earlier version. */
export async function createMenus(): Promise<void> {
  await browser.contextMenus.removeAll();
  for (const [id, { title, contexts }] of Object.entries(entries))
    browser.contextMenus.create({ id, title: text(title), contexts: [...contexts] });
}

/** The kind of search behind an entry. */
export function sourceOf(menuItemId: string | number): Source | undefined {
  return Object.entries(entries).find(([id]) => id === menuItemId)?.[1].source;
}
