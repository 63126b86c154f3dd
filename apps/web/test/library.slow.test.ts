import { connectDatabase } from "@koma/database";
import { prepareData, startApi } from "@koma/testing/start-koma";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { dropImage } from "./fixtures/acts.ts";
import { findFaults } from "./fixtures/find-faults.ts";
import { openBrowser, phone, type TestBrowser } from "./fixtures/open-browser.ts";

const url = inject("url");

describe.skipIf(url === "")("the library page", () => {
  let browser: TestBrowser;
  let data: Awaited<ReturnType<typeof prepareData>>;
  let published: Awaited<ReturnType<typeof startApi>>;
  beforeAll(async () => {
    browser = await openBrowser();
    data = await prepareData();
    published = await startApi(data.dataDir, { KOMA_PUBLIC_LIBRARY: "true" });
  });
  afterAll(async () => {
    await browser.close();
    await published.stop();
    await data.remove();
  });

  const anime = (page: Page) => page.locator(".library-anime h2");

  test("lists anime by title and their episodes, by keyboard only", async () => {
    const { page, errors } = await browser.open();
    await page.goto(published.url);
    await page.getByRole("link", { name: "Library" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Library", level: 1 }).waitFor();
    await anime(page).first().waitFor();
    const titles = await anime(page).allTextContents();
    expect(titles.length).toBeGreaterThan(1);
    const [title = ""] = titles;
    await page.getByLabel("Part of a title").focus();
    await page.keyboard.type(title.trim().toUpperCase());
    await page.getByText("1 anime").waitFor();
    expect(await anime(page).allTextContents()).toEqual([title]);
    await page.locator(".library-anime summary").focus();
    await page.keyboard.press("Enter");
    await page
      .getByText(/^Episode 1/)
      .first()
      .waitFor();
    expect(await page.locator(".library-anime .amount").first().textContent()).toMatch(/^0:00–\d+:\d\d$/);
    // The address restores the filter.
    await page.reload();
    await page.getByText("1 anime").waitFor();
    expect(await page.getByLabel("Part of a title").inputValue()).toBe(title.trim().toUpperCase());
    await page.getByLabel("Part of a title").fill("no such anime");
    await page.getByText("The library has no such anime.").waitFor();
    expect(errors).toEqual([]);
  });

  test.each([
    ["a phone", phone, [320, 390]],
    ["a desk", {}, [1280]],
  ] as const)("fits %s with long names, in light and dark", async (_where, device, widths) => {
    const { page } = await browser.open({ ...device, locale: "ja" });
    await page.route("**/api/library?*", async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { items: { anime: { title: object; anilistId: number } }[] };
      for (const [index, item] of body.items.entries()) {
        item.anime.title = index === 0 ? long.japanese : long.latin;
        item.anime.anilistId = 1;
      }
      await route.fulfill({ response, json: body });
    });
    await page.goto(`${published.url}/library`);
    await page.locator(".library-anime summary").first().click();
    await page.locator(".library-anime .rows li").first().waitFor();
    for (const width of widths)
      for (const colorScheme of ["light", "dark"] as const) {
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme });
        const isKnown = width !== widths[0] || colorScheme === "dark";
        expect(await findFaults(page, { isKnown })).toEqual([]);
      }
  });

  test("shows the cover and the studios that the server stores, as does a result", async () => {
    const { page, errors } = await browser.open();
    const requested: string[] = [];
    page.on("request", (request) => requested.push(request.url()));
    const database = await connectDatabase({ dataDir: data.dataDir });
    const [anime] = await database.anime.search({ query: "Iron Comet", limit: 1 });
    if (anime === undefined) throw new Error("The sample library has anime.");
    const { id, isSample: _sample, metadataAt: _at, coverVersion: _version, ...metadata } = anime;
    const sourceUrl = "https://covers.example/1.jpg";
    await database.anime.applyMetadata(id, {
      ...metadata,
      synonyms: [],
      coverUrl: sourceUrl,
      studios: ["Studio Alpha"],
      links: [{ site: "Stream Beta", url: "https://stream.example/iron-comet" }],
    });
    const blank = { width: 240, height: 340, channels: 3, background: "#3060a0" } as const;
    const webp = await sharp({ create: blank }).webp().toBuffer();
    await database.covers.write({ animeId: id, sourceUrl }, Buffer.from(webp));
    await database.close();
    await page.goto(`${published.url}/library`);
    const cover = page.locator(".library-anime .cover img");
    await cover.waitFor();
    expect(
      await cover.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
    ).toBe(240);
    await page.getByText("Studio Alpha").waitFor();
    expect(await findFaults(page)).toEqual([]);
    await page.goto(published.url);
    await dropImage(page, data.image);
    const shown = page.locator(".main-match");
    await shown.waitFor();
    await shown.getByText("Studio Alpha").waitFor();
    await shown.locator(".cover img").waitFor();
    const watch = shown.getByRole("list", { name: "Where to watch" }).getByRole("link");
    expect(await watch.getAttribute("href")).toBe("https://stream.example/iron-comet");
    expect(await watch.getAttribute("aria-label")).toBe("Stream Beta: Iron Comet (opens another site)");
    expect(await findFaults(page)).toEqual([]);
    // The searched image has an address of the page itself.
    const local = [published.url, `blob:${published.url}`];
    expect(requested.filter((address) => !local.some((base) => address.startsWith(base)))).toEqual([]);
    expect(errors).toEqual([]);
  });

  test("is for administrators only, unless it is public", async () => {
    const { page } = await browser.open();
    await page.goto(`${url}/library`);
    await page.getByText("The operator has not published the library").waitFor();
    expect(await page.getByRole("link", { name: "Library" }).count()).toBe(0);
    expect(await findFaults(page)).toEqual([]);
    const administrator = await browser.openAdministrator();
    await administrator.page.goto(url);
    await administrator.page.getByRole("link", { name: "Library" }).click();
    await anime(administrator.page).first().waitFor();
  });
});

const long = {
  japanese: {
    romaji: null,
    english: null,
    native: "やはり俺の青春ラブコメはまちがっている。".repeat(6),
  },
  latin: { romaji: "Donaudampfschifffahrtsgesellschaft".repeat(4), english: null, native: null },
};
