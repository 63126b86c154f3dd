import type { PageImage } from "../messages.ts";
import { countVisiblePixels, findVisibleArea } from "./visible-area.ts";

/** The minimum visible share of an image; below it, the address is searched instead of the screenshot. */
const sufficientShare = 0.6;
const longestSide = 1600;

/** Reads the image with an address: its bytes where the page may read them, else where it is visible. */
export async function readImage(srcUrl: string): Promise<PageImage | undefined> {
  const found = findLargest("img, input[type=image], video", (element) => isShowing(element, srcUrl));
  if (found === undefined) return undefined;
  const dataUrl = found instanceof HTMLImageElement ? drawImage(found) : undefined;
  const area = findVisibleArea(found);
  if (dataUrl !== undefined || area === undefined) return { dataUrl };
  const { width, height } = found.getBoundingClientRect();
  const share = (area.rectangle.width * area.rectangle.height) / (width * height);
  return { area: share > sufficientShare ? area : undefined };
}

/** Reads the current frame of a video: the one with this address, else the largest visible one. */
export async function readVideo(srcUrl: string): Promise<PageImage | undefined> {
  const isReady = (element: Element) => element instanceof HTMLVideoElement && element.readyState >= 2;
  const video =
    findLargest("video", (element) => isReady(element) && isShowing(element, srcUrl)) ??
    findLargest("video", (element) => isReady(element) && countVisiblePixels(element) > 0);
  if (!(video instanceof HTMLVideoElement)) return undefined;
  const dataUrl = draw(video, video.videoWidth, video.videoHeight);
  return dataUrl === undefined ? { area: findVisibleArea(video) } : { dataUrl };
}

/** The element with the most visible pixels that fits, in open shadow roots as well. */
export function findLargest(selector: string, fits: (element: Element) => boolean): Element | undefined {
  let best: { element: Element; pixels: number } | undefined;
  for (const element of listElements(document, selector)) {
    if (!fits(element)) continue;
    const pixels = countVisiblePixels(element);
    if (best === undefined || pixels > best.pixels) best = { element, pixels };
  }
  return best?.element;
}

function* listElements(root: Document | ShadowRoot, selector: string): Generator<Element> {
  for (const element of root.querySelectorAll("*")) {
    if (element.matches(selector)) yield element;
    if (element.shadowRoot !== null) yield* listElements(element.shadowRoot, selector);
  }
}

function isShowing(element: Element, address: string): boolean {
  if (element instanceof HTMLImageElement || element instanceof HTMLVideoElement) {
    return element.currentSrc === address || element.src === address;
  }
  return element instanceof HTMLInputElement && element.src === address;
}

function drawImage(image: HTMLImageElement): string | undefined {
  return draw(image, image.naturalWidth, image.naturalHeight);
}

/** An image as a JPEG data address; undefined where its site does not let the page read it. */
function draw(
  source: HTMLImageElement | HTMLVideoElement,
  width: number,
  height: number,
): string | undefined {
  if (width === 0 || height === 0) return undefined;
  const scale = Math.min(1, longestSide / Math.max(width, height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const context = canvas.getContext("2d");
  if (context === null) return undefined;
  try {
    context.drawImage(source, 0, 0, canvas.width, canvas.height);
    return canvas.toDataURL("image/png");
  } catch {
    // The canvas is tainted.
    return undefined;
  }
}
