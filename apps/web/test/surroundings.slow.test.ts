import { SearchResult, Surroundings } from "@koma/contract";
import type { BrowserContextOptions } from "playwright-core";
import { describe, expect, inject, test } from "vitest";
import { dropImage } from "./fixtures/acts.ts";
import { findFaults, findFaultsIn } from "./fixtures/find-faults.ts";
import { open } from "./fixtures/open-browser.ts";
import { openProxy } from "./fixtures/open-proxy.ts";

describe.skipIf(inject("url") === "")("the surroundings of a match", () => {
  async function openResult(options: BrowserContextOptions = {}, url = inject("url")) {
    const opened = await open(options);
    const requests: string[] = [];
    opened.page.on("request", (request) => requests.push(request.url()));
    await opened.page.goto(url);
    await dropImage(opened.page, inject("image"));
    await opened.page.locator(".main-match").waitFor();
    return { ...opened, requests, match: opened.page.locator(".main-match") };
  }

  test("are loaded when they are opened, scrubbed by keyboard and pointer, and have clips of other lengths", async () => {
    const { page, errors, requests, match } = await openResult();
    expect(requests.filter((url) => url.includes("/surroundings"))).toEqual([]);
    await match.locator(".surroundings summary").focus();
    await page.keyboard.press("Enter");
    const slider = match.getByRole("slider", { name: "Shots around this moment" });
    await slider.waitFor();
    const readText = () => slider.getAttribute("aria-valuetext");
    const result = await match.locator(".match-words > .match-time b").textContent();
    expect(await readText()).toBe(`${result}, the found shot`);
    expect(await match.locator(".shots .copy-time").getAttribute("aria-label")).toBe(
      await match.locator(".match-words > .match-time .copy-time").getAttribute("aria-label"),
    );
    const readShot = () => match.locator(".shot[src]").evaluate((image) => (image as HTMLImageElement).src);
    expect(await readText()).toMatch(/^\d+:\d\d, the found shot$/);
    const [text, shot] = [await readText(), await readShot()];
    await slider.focus();
    await page.keyboard.press("Home");
    const toSeconds = (time: string | null) => {
      const [minutes, seconds] = (time ?? "").split(/[:,]/).map(Number);
      return (minutes ?? Number.NaN) * 60 + (seconds ?? Number.NaN);
    };
    expect(toSeconds(await readText())).toBeLessThanOrEqual(toSeconds(text));
    await page.keyboard.press("End");
    expect(toSeconds(await readText())).toBeGreaterThanOrEqual(toSeconds(text));
    const box = await slider.boundingBox();
    if (box === null) throw new Error("The slider is not visible.");
    await page.mouse.click(box.x + 4, box.y + box.height / 2);
    expect(await slider.inputValue()).toBe("0");
    expect(await match.locator(".shots code").textContent()).toMatch(/^00:\d\d:\d\d\.\d{3}$/);
    await match.locator(".strip-stills img").last().click();
    expect(await slider.inputValue()).toBe(await slider.getAttribute("max"));
    const stills = match.locator(".strip-stills img");
    const count = await stills.count();
    expect(count).toBeGreaterThan(1);
    expect(await slider.getAttribute("max")).toBe(String(count - 1));
    const countLoaded = () =>
      stills.evaluateAll(
        (images) => images.filter((image) => (image as HTMLImageElement).naturalWidth > 0).length,
      );
    await expect.poll(countLoaded).toBe(count);
    const found = await match
      .locator(".strip-stills .found")
      .evaluate((image) => (image as HTMLImageElement).src);
    expect(found).toBe(shot);

    const scene = match.getByRole("button", { name: "Scene" });
    const shorter = match.getByRole("button", { name: "5 sec", exact: true });
    expect(await scene.getAttribute("aria-current")).toBe("true");
    await shorter.click();
    expect(await shorter.getAttribute("aria-current")).toBe("true");
    const readDuration = () =>
      match.locator("video").evaluate((video) => Math.round((video as HTMLVideoElement).duration));
    await expect.poll(readDuration).toBe(5);
    await scene.click();
    await expect.poll(readDuration).not.toBe(5);
    expect(errors).toEqual([]);
  });

  test("the other occurrences of a shot have their times at once, and their stills when they are opened", async () => {
    const { page, errors } = await open();
    const episode = { season: null, number: 12, title: null };
    const other = { episode, from: 62, to: 66.5 };
    // The sample library has no recurring shot: the API's own responses get one, with a still of the library.
    await page.route("**/api/anime/search", async (route) => {
      const response = await route.fetch();
      const { matches, ...rest } = SearchResult.parse(await response.json());
      const changed = matches.map((match) => ({ ...match, otherOccurrences: [other] }));
      await route.fulfill({ response, json: { ...rest, matches: changed } });
    });
    await page.route("**/surroundings?*", async (route) => {
      const response = await route.fetch();
      const { shots, ...rest } = Surroundings.parse(await response.json());
      const occurrences = [{ ...other, stillPath: shots[0]?.stillPath ?? "" }];
      await route.fulfill({ response, json: { ...rest, shots, occurrences } });
    });
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    await page.goto(inject("url"));
    await dropImage(page, inject("image"));
    const list = page.locator(".main-match .occurrences");
    await list.locator("summary").waitFor();
    expect(requests.filter((url) => url.includes("/surroundings"))).toEqual([]);
    await list.locator("summary").click();
    const row = list.getByRole("listitem");
    await row.getByText("Episode 12, 1:02").waitFor();
    const widthOf = () => row.locator("img").evaluate((image) => (image as HTMLImageElement).naturalWidth);
    await expect.poll(widthOf).toBeGreaterThan(0);
    expect(await row.count()).toBe(1);
    expect(await row.locator(".copy-time").getAttribute("aria-label")).toContain("00:01:02.000");
    expect(await findFaults(page)).toEqual([]);
    expect(errors).toEqual([]);
  });

  test("a confirmation does not wait for stills that the server is still cutting", async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const proxy = await openProxy({
      onRequest: ({ url }) => (url?.startsWith("/previews/") ? held : undefined),
    });
    try {
      const { page, match } = await openResult({ viewport: { width: 1280, height: 2000 } }, proxy.url);
      await match.locator(".surroundings summary").click();
      await match.getByRole("slider", { name: "Shots around this moment" }).waitFor();
      await match.getByRole("button", { name: /^This is it/ }).click();
      const isConfirmed = async () => {
        const response = await fetch(page.url().replace("/search/", "/api/anime/searches/"));
        return (await response.json()).confirmation;
      };
      await expect.poll(isConfirmed, { timeout: 15_000 }).toMatchObject({ rank: 1 });
    } finally {
      release();
      proxy.close();
    }
  });

  test("have no faults at a desk and on a phone, in light and dark, from right to left", async () => {
    const { page, match } = await openResult();
    await match.locator(".surroundings summary").click();
    await match.getByRole("slider").waitFor();
    const faults: string[] = [];
    for (const [language, forms] of [
      ["en", [[1280, "light"]]],
      [
        "ar",
        [
          [1280, "dark"],
          [360, "dark"],
        ],
      ],
      ["ja", [[360, "light"]]],
    ] as const) {
      await page.locator("footer select").last().selectOption(language);
      await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe(language);
      faults.push(...(await findFaultsIn(page, forms, `surroundings-${language}`)));
      const still = await match.locator(".moving").boundingBox();
      expect((still?.width ?? 0) / (still?.height ?? 1)).toBeCloseTo(16 / 9, 1);
    }
    const tops = await Promise.all(
      [".main-match", ".asked", ".confirm-line", ".result-head > .button"].map(
        async (selector) => (await page.locator(selector).boundingBox())?.y ?? Number.NaN,
      ),
    );
    expect(tops).toEqual(tops.toSorted((a, b) => a - b));
    expect(faults).toEqual([]);
  });
});
