import { text as readText } from "node:stream/consumers";
import { SearchResult } from "@koma/contract";
import { sharp } from "@koma/image";
import { languages } from "@koma/messages/page";
import type { Page } from "playwright-core";
import { describe, expect, inject, test } from "vitest";
import { goTo } from "./fixtures/acts.ts";
import { findFaults } from "./fixtures/find-faults.ts";
import { open, phone } from "./fixtures/open-browser.ts";

const url = inject("url");

describe.skipIf(url === "")("the pages about the site", () => {
  test("are reachable from the footer by keyboard, and follow the language", async () => {
    const { page, errors } = await open();
    await page.goto(url);
    for (const [link, headline] of [
      ["About", "About Koma"],
      ["Get Koma", "Get Koma"],
      ["Questions", "Questions"],
      ["Status", "Status"],
      ["Privacy", "Privacy"],
      ["Terms", "Terms of use"],
    ] as const) {
      await page.getByRole("contentinfo").getByRole("link", { name: link, exact: true }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: headline, level: 1 }).waitFor();
      expect(await page.title()).toBe(`${headline} · Koma`);
    }
    await page.getByLabel("Language").selectOption("ja");
    await page.getByRole("heading", { name: "利用規約", level: 1 }).waitFor();
    expect(await findFaults(page)).toEqual([]);
    expect(errors).toEqual([]);
  });

  test("scroll sideways on no page at 390 px with text of 200 %", async () => {
    const { page } = await open({ ...phone, viewport: { width: 390, height: 740 } });
    const wide: string[] = [];
    await page.goto(url);
    for (const [path, headline] of [
      ["/", "Which anime is this?"],
      ["/rankings", "Rankings"],
      ["/recent", "Recently found"],
      ["/faq", "Questions"],
      ["/status", "Status"],
      ["/sign-up", "Create an account"],
      ["/sign-in", "Sign in"],
    ] as const) {
      await goTo(page, path, headline);
      wide.push(
        ...(await page.evaluate((path) => {
          const large = new CSSStyleSheet();
          large.replaceSync("html { font-size: 200% !important; }");
          document.adoptedStyleSheets.push(large);
          const { scrollWidth, clientWidth } = document.documentElement;
          if (scrollWidth <= clientWidth) return [];
          return [...document.querySelectorAll("#page *")]
            .filter((element) => element.getBoundingClientRect().right > clientWidth + 1)
            .map(
              (element) =>
                `${path} ${element.tagName} ${element.className} ${element.getBoundingClientRect().right}`,
            );
        }, path)),
      );
    }
    expect(wide).toEqual([]);
  });

  test("the page of the clients writes a key into the files that it downloads", async () => {
    const { page, errors } = await open();
    await page.goto(`${url}/get`);
    expect(await page.locator(".command").textContent()).toBe(
      `curl -F image=@frame.jpg '${url}/api/anime/search'`,
    );
    const download = async (file: string) => {
      const [started] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: `Download ${file}` }).click(),
      ]);
      expect(started.suggestedFilename()).toBe(file);
      return await readText(await started.createReadStream());
    };
    expect(JSON.parse(await download("koma.sxcu"))).not.toHaveProperty("Headers");
    await page.getByLabel("API key").fill("koma_short");
    await page.getByText("This does not look like an API key.").waitFor();
    expect(await findFaults(page)).toEqual([]);
    const key = `koma_${"a".repeat(52)}`;
    await page.getByLabel("API key").fill(key);
    for (const file of ["koma.user.js", "koma.lua", "koma.py"]) expect(await download(file)).toContain(key);
    expect(errors).toEqual([]);
  });

  test("the example images are as findable as the questions state", async () => {
    const { page, errors } = await open({ ...phone, locale: "ja" });
    await page.goto(`${url}/faq`);
    const images = page.locator(".example-images img");
    await expect.poll(() => images.count()).toBe(6);
    expect(await images.first().getAttribute("alt")).toBe("例：コマ全体");
    await images.last().scrollIntoViewIfNeeded();
    expect(await findFaults(page)).toEqual([]);
    const addresses = await images.evaluateAll((all) => all.map((image) => (image as HTMLImageElement).src));
    const outcomes: string[] = [];
    for (const address of addresses) {
      const body = new FormData();
      body.set("image", await (await fetch(address)).blob());
      const response = await fetch(`${url}/api/anime/search`, { method: "POST", body });
      outcomes.push(SearchResult.parse(await response.json()).outcome);
    }
    expect(outcomes.slice(0, 3)).toEqual(["found", "found", "found"]);
    expect(outcomes.slice(3)).toEqual(["not_in_library", "not_in_library", "not_in_library"]);
    expect(errors).toEqual([]);
  });

  test("scroll sideways in no language on phones", async () => {
    const { page } = await open({ ...phone, viewport: { width: 390, height: 740 } });
    await page.goto(url);
    const found: string[] = [];
    const choose = async (language: string) => {
      await page.locator("footer select").last().selectOption(language);
      await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe(language);
    };
    for (const [path, headline] of [
      ["/", "Which anime is this?"],
      ["/rankings", "Rankings"],
      ["/get", "Get Koma"],
    ] as const) {
      await choose("en");
      await goTo(page, path, headline);
      for (const language of languages) {
        await choose(language);
        for (const width of [390, 320]) {
          await page.setViewportSize({ width, height: 740 });
          // A phone widens its layout to the content, so the width of the root element says nothing.
          const needed = await page.evaluate(() => document.documentElement.scrollWidth);
          if (needed !== width) found.push(`${path} in ${language}: ${needed} px in ${width} px`);
        }
      }
    }
    expect(found).toEqual([]);
  });

  test("in Arabic, run from right to left; times, titles and addresses keep their direction", async () => {
    const narrow = {
      viewport: { width: 390, height: 844 },
      locale: "ar-EG",
      reducedMotion: "reduce",
    } as const;
    const { page, errors } = await open({ ...phone, ...narrow });
    const faults: string[] = [];
    await page.goto(url);
    await page.getByRole("heading", { name: "ما هذا الأنمي؟", level: 1 }).waitFor();
    const direction = () => page.evaluate(() => [document.documentElement.lang, document.dir]);
    expect(await direction()).toEqual(["ar", "rtl"]);
    expect((await readBox(page, ".brand")).x).toBeGreaterThan((await readBox(page, ".head nav")).x);
    faults.push(...(await findFaults(page)));
    await page.locator(".examples button").first().click();
    await page.locator(".main-match").waitFor();
    expect(await page.locator(".result-head h1").textContent()).toMatch(
      /^\u2068.+\u2069، .*\u2068\d+:\d\d\u2069$/,
    );
    const [position, duration] = [".match-time b", ".match-time b + span"];
    expect((await readBox(page, position)).x).toBeLessThan((await readBox(page, duration)).x);
    faults.push(...(await findFaults(page)));
    for (const [path, headline] of [
      ["/privacy", "الخصوصية"],
      ["/rankings?period=all", "الأكثر بحثًا"],
      ["/sign-in", "تسجيل الدخول"],
    ] as const) {
      await goTo(page, path, headline);
      faults.push(...(await findFaults(page)));
    }
    expect(faults).toEqual([]);
    await page.getByLabel("اللغة").selectOption("en");
    await expect.poll(direction).toEqual(["en", "ltr"]);
    expect(errors).toEqual([]);
  });

  test("show the limits, the retention, the contact and the other services of this site", async () => {
    const site = inject("secondSite");
    const host = site.upstream;
    const { page } = await open();
    await page.goto(`${site.url}/privacy`);
    await page.getByText("those of an account after 12 days").waitFor();
    await page.getByText("It is deleted after 11 days.").waitFor();
    const contact = page.getByRole("link", { name: "operator@site.example" });
    expect(await contact.getAttribute("href")).toBe("mailto:operator@site.example");
    await page.getByText(`also sent to ${host}: reduced to 640 pixels`).waitFor();
    await page.goto(`${site.url}/faq`);
    await page.getByText(/Without an account 7,?000 per day/).waitFor();
    await page.goto(`${site.url}/status`);
    const figure = async (name: string) =>
      await page
        .locator(".facts > div")
        .filter({ has: page.getByText(name, { exact: true }) })
        .locator("dd")
        .textContent();
    await page.getByText("Hours of video").waitFor();
    expect(await figure("Searches")).toBe("Available");
    expect(Number(await figure("Episodes"))).toBeGreaterThan(1);
    expect(await figure("Version")).toMatch(/^\d+\.\d+\.\d+$/);
    await page.goto(site.url);
    await page.getByText(`not in the library is also sent to ${host}.`).waitFor();
    const buffer = await createAbsentImage();
    await page.locator("input.picture-file").setInputFiles({ name: "a.jpg", mimeType: "image/jpeg", buffer });
    await page.getByRole("heading", { name: "<b>Elsewhere</b>, Episode 7, 0:02", level: 1 }).waitFor();
    const source = page.getByRole("link", { name: `From ${host}` });
    expect(await source.getAttribute("href")).toBe(`http://${host}`);
    // The service sends neither a still nor the duration of the video.
    const match = page.locator(".main-match");
    await match.getByText("There is no preview of this scene.").waitFor();
    expect(await match.getByAltText("The image that was searched").getAttribute("src")).toMatch(/^blob:/);
    expect(await match.locator(".match-time span").first().textContent()).toBe("0:02");
    expect(await findFaults(page)).toEqual([]);
  });
});

/** An image without content, whose search is short. */
async function createAbsentImage(): Promise<Buffer> {
  return await sharp({ create: { width: 320, height: 180, channels: 3, background: "#369" } })
    .jpeg()
    .toBuffer();
}

async function readBox(page: Page, selector: string) {
  const box = await page.locator(selector).first().boundingBox();
  if (box === null) throw new Error(`${selector} is not visible.`);
  return box;
}
