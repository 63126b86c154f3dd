import { type Browser, browser } from "wxt/browser";
import { LocalError } from "../failure.ts";
import type { PageImage, Source } from "../messages.ts";
import { cropScreenshot, isBlank, shrinkImage } from "./image-data.ts";
import { askPage } from "./page-script.ts";

/** The origin of a search: the tab, and for a context menu its target. */
export type Origin = {
  tabId: number;
  windowId: number;
  frameId?: number | undefined;
  frameUrl?: string | undefined;
  srcUrl?: string | undefined;
};

/** A captured image: its content, or the address from which only the server can fetch it. */
export type Capture = { imageDataUrl: string } | { imageUrl: string };

/** Captures an image. Returns undefined if the user cancels; throws LocalError if there is none. */
export async function capture(source: Source, origin: Origin): Promise<Capture | undefined> {
  switch (source) {
    case "image":
      return await captureImage(origin);
    case "video":
      return await captureVideo(origin);
    case "region":
      return await captureRegion(origin);
  }
}

/** The origin of a search in a tab, without a context menu. */
export function originOf(tab: Browser.tabs.Tab): Origin | undefined {
  return tab.id === undefined || tab.windowId === undefined
    ? undefined
    : { tabId: tab.id, windowId: tab.windowId };
}

async function captureImage(origin: Origin): Promise<Capture | undefined> {
  const { srcUrl = "" } = origin;
  if (srcUrl.startsWith("data:")) return { imageDataUrl: await shrinkImage(srcUrl) };
  const image = await readInFrame(origin, "image");
  const captured = image && (await usePageImage(image, origin));
  if (captured !== undefined) return captured;
  if (/^https?:/.test(srcUrl)) return { imageUrl: srcUrl };
  return await captureRegion(origin);
}

async function captureVideo(origin: Origin): Promise<Capture | undefined> {
  const image = await readInFrame(origin, "video");
  const captured = image && (await usePageImage(image, origin));
  // No video was found, or its player is in a frame that is closed to extensions: its image can still be
  // selected.
  if (captured === undefined) return await captureRegion(origin, "player");
  if (await isBlank(captured.imageDataUrl)) throw new LocalError("protectedVideo");
  return captured;
}

async function captureRegion(origin: Origin, suggestion?: "player"): Promise<Capture | undefined> {
  const { tabId, frameUrl } = origin;
  const selected = await askPage(tabId, { kind: "selectRegion", suggestion, frameUrl });
  return selected && (await usePageImage(selected, origin));
}

/**
 * An image as one frame of the page reports it; undefined if that frame is closed to extensions or has no
 * such image.
 */
async function readInFrame(origin: Origin, what: "image" | "video"): Promise<PageImage | undefined> {
  const { tabId, frameId = 0, srcUrl = "" } = origin;
  try {
    return await askPage(tabId, { kind: what === "image" ? "readImage" : "readVideo", srcUrl }, frameId);
  } catch (error) {
    if (!(error instanceof LocalError)) throw error;
    return undefined;
  }
}

/** The bytes if the page may read them, else the visible part of the image in the tab. */
async function usePageImage(image: PageImage, origin: Origin): Promise<{ imageDataUrl: string } | undefined> {
  if (image.dataUrl !== undefined) return { imageDataUrl: await shrinkImage(image.dataUrl) };
  if (image.area === undefined) return undefined;
  const { tabId, windowId } = origin;
  await askPage(tabId, { kind: "setPanelHidden", isHidden: true });
  try {
    const screenshot = await browser.tabs.captureVisibleTab(windowId, { format: "png" });
    return { imageDataUrl: await cropScreenshot(screenshot, image.area) };
  } finally {
    await askPage(tabId, { kind: "setPanelHidden", isHidden: false });
  }
}
