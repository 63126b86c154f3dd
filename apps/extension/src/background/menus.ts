import { browser } from "wxt/browser";
import type { Source } from "../messages.ts";
import { text } from "../texts.ts";

/** Creates the entries of the context menu, replacing those of an earlier version. */
export async function createMenus(): Promise<void> {
  await browser.contextMenus.removeAll();
  browser.contextMenus.create({ id: "image", title: text("menuImage"), contexts: ["image"] });
  browser.contextMenus.create({ id: "video", title: text("menuVideo"), contexts: ["video"] });
  // Many players cover their video, so that the menu of the page opens there.
  browser.contextMenus.create({ id: "page-video", title: text("menuVideo"), contexts: [...pageContexts] });
  browser.contextMenus.create({ id: "region", title: text("menuRegion"), contexts: [...pageContexts] });
}

/** The kind of search behind an entry. */
export function sourceOf(menuItemId: string | number): Source | undefined {
  switch (menuItemId) {
    case "image":
    case "region":
      return menuItemId;
    case "video":
    case "page-video":
      return "video";
    default:
      return undefined;
  }
}

const pageContexts = ["page", "frame", "link", "selection"] as const;
