import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The path of a Chromium on this machine, if there is one. */
export function findBrowser(): string | undefined {
  return places.find((place) => existsSync(place));
}

/** PNGs of pages, taken by Chromium at this width and as high as each page is. Throws where there is none. */
export async function takePictures(
  pages: readonly string[],
  options: { width?: number } = {},
): Promise<readonly Uint8Array[]> {
  const executablePath = findBrowser();
  if (executablePath === undefined) throw new Error("There is no Chromium on this machine.");
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    const page = await browser.newPage({ viewport: { width: options.width ?? 720, height: 200 } });
    const pictures: Uint8Array[] = [];
    for (const html of pages) {
      await page.setContent(html, { waitUntil: "load" });
      // A clip shows its first frame once it is decoded; one that this browser cannot play stays dark.
      await page
        .waitForFunction(
          "[...document.querySelectorAll('video')].every((one) => one.readyState >= 2 || one.error)",
          null,
          { timeout: 5000 },
        )
        .catch(() => undefined);
      pictures.push(await page.screenshot({ fullPage: true }));
    }
    return pictures;
  } finally {
    await browser.close();
  }
}

/** One PNG; see `takePictures`. */
export async function takePicture(html: string, options: { width?: number } = {}): Promise<Uint8Array> {
  const [picture] = await takePictures([html], options);
  if (picture === undefined) throw new Error("No picture was taken.");
  return picture;
}
