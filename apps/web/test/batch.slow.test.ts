import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { dropImage, dropImages, focusedText, isInView } from "./fixtures/acts.ts";
import { openBrowser, type TestBrowser } from "./fixtures/open-browser.ts";

const url = inject("url");

describe.skipIf(url === "")("several files", () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  test("several images are searched one after the other, each with its own result", async () => {
    const { page } = await browser.open();
    await page.goto(url);
    const bytes = await sharp(inject("image")).jpeg().toBuffer();
    await dropImages(page, [bytes, bytes]);
    // The list is below the first screen.
    await expect.poll(() => focusedText(page)).toBe("Your images");
    expect(await isInView(page, ".batch h2")).toBe(true);
    const results = page.locator(".batch li a");
    await expect.poll(() => results.count()).toBe(2);
    await results.nth(1).click();
    await page.getByText("Found", { exact: true }).waitFor();
    await page.getByAltText("The image that was searched").waitFor();
  });

  test("a batch that a failure ended continues, and the focus stays in it", async () => {
    const { page } = await browser.open();
    await page.goto(url);
    const bytes = await sharp(inject("image")).jpeg().toBuffer();
    await page.route("**/api/anime/search", (route) => route.fulfill({ status: 500, body: "" }));
    await dropImages(page, [bytes, bytes]);
    const retry = page.getByRole("button", { name: "Try again" });
    await retry.waitFor();
    await page.unroute("**/api/anime/search");
    await retry.press("Enter");
    await expect.poll(() => page.locator(".batch li a").count()).toBe(2);
    expect(await focusedText(page)).toBe("Your images");
  });

  test("a video of 8 MiB may take a minute to upload", async () => {
    const { page } = await browser.open();
    await page.clock.install();
    await page.goto(url);
    let isSent = false;
    await page.route("**/api/anime/search", () => {
      isSent = true;
    });
    const file = join(await mkdtemp(join(tmpdir(), "koma-video-")), "long.mp4");
    await writeFile(file, Buffer.concat([Buffer.from("\0\0\0\x18ftypisom"), Buffer.alloc(8 * 1024 ** 2)]));
    await dropImage(page, file, "video/mp4");
    await expect.poll(() => isSent).toBe(true);
    await page.clock.runFor(60_000);
    expect(await page.locator(".problem").count()).toBe(0);
    await page.clock.runFor(120_000);
    await page.locator(".problem").waitFor();
    await rm(dirname(file), { recursive: true });
  });

  test("a text file beside an image is named as left out", async () => {
    const { page } = await browser.open();
    await page.goto(url);
    const bytes = await sharp(inject("image")).jpeg().toBuffer();
    await dropImages(page, [bytes], ["notes.txt"]);
    await page
      .getByText("Left out, because they are neither images nor videos: notes.txt", { exact: true })
      .waitFor();
    expect(await page.getByText("notes.txt").count()).toBe(1);
    await page.getByText("Found", { exact: true }).waitFor();
  });
});
