import { createTranslator } from "@koma/messages";
import sharp from "sharp";
import { describe, expect, inject, test } from "vitest";
import {
  dropImages,
  dropTwoFrames,
  focusedText,
  fulfillProblem,
  isInView,
  listSavedImages,
} from "./fixtures/acts.ts";
import { open } from "./fixtures/open-browser.ts";

const url = inject("url");
const { t } = createTranslator("en");

describe.skipIf(url === "")("several files", () => {
  test("several images are searched one after the other, each with its own result", async () => {
    const { page } = await open();
    await page.goto(url);
    await dropTwoFrames(page);
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
    const { page } = await open();
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

  test("of 12 images each is searched, stays through a reload, and waits at the limit", async () => {
    const { page } = await open();
    await page.goto(url);
    const shades = Array.from({ length: 11 }, (_, index) => ({ r: index * 20, g: 0, b: 0 }));
    const images = await Promise.all(
      shades.map((background) =>
        sharp({ create: { width: 64, height: 36, channels: 3, background } })
          .jpeg()
          .toBuffer(),
      ),
    );
    let found: { id: string } = { id: "" };
    let count = 0;
    let isOver = false;
    // One search is real; the others would only cost time.
    await page.route("**/api/anime/search", async (route) => {
      count += 1;
      if (count === 1) {
        const response = await route.fetch();
        found = (await response.json()) as { id: string };
        await route.fulfill({ response });
      } else if (count === 3) {
        await fulfillProblem(route, "image_unreadable");
      } else if (count === 8 && !isOver) {
        isOver = true;
        await fulfillProblem(route, "guest_limit_reached");
      } else {
        await route.fulfill({ json: { ...found, id: `${found.id}-${count}` } });
      }
    });
    await dropImages(page, [await sharp(inject("image")).jpeg().toBuffer(), ...images]);
    const panel = page.locator(".batch").getByRole("alert");
    await panel.getByText("Today's free searches are used up").waitFor();
    const expectList = async (waiting: number) => {
      const lines = await page.locator(".batch li").allTextContents();
      const count = (text: string) => lines.filter((line) => line === text).length;
      expect(lines).toHaveLength(12);
      expect(count("Not searched yet")).toBe(waiting);
      expect(count(t("error.image_unreadable.title"))).toBe(1);
      expect(await page.locator(".batch li a").count()).toBe(11 - waiting);
    };
    await expectList(5);
    expect(await panel.count()).toBe(1);

    // The browser stores the images beside the searches.
    await expect.poll(() => listSavedImages(page)).toHaveLength(12);
    await page.reload();
    await page.locator(".batch li").nth(11).waitFor();
    await expectList(5);
    const isDrawn = () =>
      page
        .locator(".batch li img")
        .evaluateAll((images) =>
          images.map((image) => image instanceof HTMLImageElement && image.naturalWidth > 0),
        );
    await expect.poll(isDrawn).toEqual(Array.from({ length: 12 }, () => true));
    await page.getByRole("button", { name: "Search the remaining images" }).click();
    await expect.poll(() => page.locator(".batch li a").count()).toBe(11);
    await page.locator(".batch li a").first().click();
    await page.getByAltText("The image that was searched").waitFor();
  });

  test("a text file beside an image is named as left out", async () => {
    const { page } = await open();
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
