import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { takeImages } from "./take-image.ts";

/** The folder for screenshots of every kind of reply; without it the tests that take them are skipped. */
export const screensFolder = process.env.KOMA_TEST_SCREENS;

/** Writes each page as `name.png`, as on a computer, and as `name-phone.png`. */
export async function saveScreens(pages: readonly (readonly [name: string, html: string])[]): Promise<void> {
  if (screensFolder === undefined) throw new Error("KOMA_TEST_SCREENS is not set.");
  await mkdir(screensFolder, { recursive: true });
  for (const [suffix, width] of [
    ["", 720],
    ["-phone", 360],
  ] as const) {
    const images = await takeImages(
      pages.map(([, html]) => html),
      { width },
    );
    for (const [index, image] of images.entries()) {
      await writeFile(join(screensFolder, `${pages[index]?.[0]}${suffix}.png`), image);
    }
  }
}
