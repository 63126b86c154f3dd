import { findChromium } from "@koma/testing";
import { chromium } from "playwright-core";

/** PNGs of pages, rendered by Chromium at this width and the height of each page. Throws without Chromium. */
export async function takeImages(
  pages: readonly string[],
  options: { width?: number } = {},
): Promise<readonly Uint8Array[]> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error("There is no Chromium on this machine.");
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    const page = await browser.newPage({ viewport: { width: options.width ?? 720, height: 200 } });
    const images: Uint8Array[] = [];
    for (const html of pages) {
      await page.setContent(html, { waitUntil: "load" });
      // A clip shows its first frame after it is decoded; a clip that this browser cannot play stays dark.
      await page
        .waitForFunction(
          "[...document.querySelectorAll('video')].every((one) => one.readyState >= 2 || one.error)",
          null,
          { timeout: 5000 },
        )
        .catch(() => undefined);
      images.push(await page.screenshot({ fullPage: true }));
    }
    return images;
  } finally {
    await browser.close();
  }
}

/** One PNG; see `takeImages`. */
export async function takeImage(html: string, options: { width?: number } = {}): Promise<Uint8Array> {
  const [image] = await takeImages([html], options);
  if (image === undefined) throw new Error("No picture was taken.");
  return image;
}
