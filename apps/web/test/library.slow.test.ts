import { connectDatabase } from "@koma/database";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { describe, expect, inject, test } from "vitest";
import { dropImage } from "./fixtures/acts.ts";
import { findFaults, findFaultsIn } from "./fixtures/find-faults.ts";
import { open, openAdministrator } from "./fixtures/open-browser.ts";

const url = inject("url");
const { url: published, dataDir } = inject("secondSite");

describe.skipIf(url === "")("the library page", () => {
  const anime = (page: Page) => page.locator(".library-anime h2");

  test("lists anime by title and their episodes, by keyboard only", async () => {
    const { page, errors } = await open();
    await page.goto(published);
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

  test("fits a phone and a desk with long names, in light and dark", async () => {
    const { page } = await open({ locale: "ja" });
    await page.route("**/api/library?*", async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { items: { anime: { title: object; anilistId: number } }[] };
      for (const [index, item] of body.items.entries()) {
        item.anime.title = index === 0 ? long.japanese : long.latin;
        item.anime.anilistId = 1;
      }
      await route.fulfill({ response, json: body });
    });
    await page.goto(`${published}/library`);
    await page.locator(".library-anime summary").first().click();
    await page.locator(".library-anime .rows li").first().waitFor();
    const forms = [1280, 390, 320].flatMap(
      (width) =>
        [
          [width, "light"],
          [width, "dark"],
        ] as const,
    );
    expect(await findFaultsIn(page, forms, "library-long")).toEqual([]);
  });

  test("shows the cover and the studios that the server stores, as does a result", async () => {
    const { page, errors } = await open();
    const requested: string[] = [];
    page.on("request", (request) => requested.push(request.url()));
    const database = await connectDatabase({ dataDir: dataDir });
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
    await page.goto(`${published}/library`);
    const cover = page.locator(".library-anime .cover img");
    await cover.waitFor();
    expect(
      await cover.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
    ).toBe(240);
    await page.getByText("Studio Alpha").waitFor();
    expect(await findFaults(page)).toEqual([]);
    await page.goto(published);
    await dropImage(page, inject("image"));
    const shown = page.locator(".main-match");
    await shown.waitFor();
    await shown.getByText("Studio Alpha").waitFor();
    await shown.locator(".cover img").waitFor();
    const watch = shown.getByRole("list", { name: "Where to watch" }).getByRole("link");
    expect(await watch.getAttribute("href")).toBe("https://stream.example/iron-comet");
    expect(await watch.getAttribute("aria-label")).toBe("Stream Beta: Iron Comet (opens another site)");
    expect(await findFaults(page)).toEqual([]);
    // The searched image has an address of the page itself.
    const local = [published, `blob:${published}`];
    expect(requested.filter((address) => !local.some((base) => address.startsWith(base)))).toEqual([]);
    expect(errors).toEqual([]);
  });

  test("is for administrators only, unless it is public", async () => {
    const { page } = await open();
    await page.goto(`${url}/library`);
    await page.getByText("The operator has not published the library").waitFor();
    expect(await page.getByRole("link", { name: "Library" }).count()).toBe(0);
    expect(await findFaults(page)).toEqual([]);
    const administrator = await openAdministrator();
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
