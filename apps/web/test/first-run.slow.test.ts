import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { type Anime, Site } from "@koma/contract";
import sharp from "sharp";
import { describe, expect, inject, onTestFinished, test } from "vitest";
import {
  confirmFirst,
  dropImage,
  dropImages,
  dropTwoFrames,
  focusedText,
  isInView,
  listSavedImages,
  openFromMenu,
  recordSearches,
  searchFrame,
  signIn,
  signUp,
} from "./fixtures/acts.ts";
import { open, phone } from "./fixtures/open-browser.ts";
import { openProxy } from "./fixtures/open-proxy.ts";

const url = inject("url");

describe.skipIf(url === "")("the first run", () => {
  test.each([
    ["at a desk", { viewport: { width: 1280, height: 720 } }],
    ["on a phone", phone],
  ])("%s: an error is visible and focused", async (_where, device) => {
    const { page } = await open(device);
    await page.goto(url);
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await dropImage(page, new URL("../package.json", import.meta.url).pathname, "image/png");
    const heading = page.getByRole("heading", { name: "That is not an image this browser can open" });
    await heading.waitFor();
    await expect.poll(() => isInView(page, ".problem h2")).toBe(true);
    expect(await heading.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  test("an image that is not in the library: its look-alikes are collapsed and not offered", async () => {
    const { page } = await open();
    const noise = { width: 640, height: 360, channels: 3, noise: { type: "gaussian", mean: 128, sigma: 60 } };
    const image = await sharp({ create: { ...noise, background: "#000" } as never })
      .jpeg()
      .toBuffer();
    await page.goto(url);
    await page.getByLabel("Others may see what was found").waitFor();
    await dropImages(page, [image]);
    await page.getByRole("heading", { name: "This image is not in the library", level: 1 }).waitFor();
    expect(await page.locator(".main-match").count()).toBe(0);
    expect(await page.locator(".button.main.confirm").count()).toBe(0);
    expect(await page.locator(".match:visible").count()).toBe(0);
    // "None of these" is about the list above it.
    expect(await page.locator(".weaker ~ .confirm-line").textContent()).toContain("None of these");
    expect(await page.getByRole("link", { name: "SauceNAO" }).getAttribute("href")).toBe(
      "https://saucenao.com/",
    );
  });

  test("the focus and the heading follow a confirmation", async () => {
    const { page } = await open();
    await page.goto(url);
    await searchFrame(page);
    await confirmFirst(page);
    await expect.poll(() => focusedText(page)).toBe("Take it back");
    await page.getByRole("button", { name: "Take it back" }).click();
    await expect.poll(() => focusedText(page)).toBe("This is it");
    await page.getByRole("button", { name: "None of these" }).click();
    await page.getByRole("heading", { name: "None of these scenes", level: 1 }).waitFor();
  });

  test("the result is shared with one action, which confirms it", async () => {
    const { page } = await open({ permissions: ["clipboard-read", "clipboard-write"] });
    await page.goto(url);
    await searchFrame(page);
    const heading = await page.locator("h1").textContent();
    await page.getByRole("button", { name: "Copy the result" }).click();
    await page.getByText("Confirmed by you").waitFor();
    await page.getByText("Title, episode, time and link are copied.").waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(`${heading}\n${page.url()}`);
    const other = await open();
    await other.page.goto(page.url());
    await other.page.getByText("A scene that somebody found").waitFor();
    await page
      .getByRole("button", { name: /^Copy the exact time/ })
      .first()
      .click();
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toMatch(/^\d\d:\d\d:\d\d\.\d{3}$/);
  });

  test("an uncertain match is neither shared nor recommended before it is confirmed, even without stills", async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const proxy = await openProxy({
      onRequest: ({ url: path }) => (path?.startsWith("/previews/") ? held : undefined),
    });
    onTestFinished(() => {
      release();
      proxy.close();
    });
    const { page } = await open();
    // The certainty of a real image can change with the engine.
    await page.route("**/api/anime/search", async (route) => {
      const response = await route.fetch();
      const result = await response.json();
      const matches = result.matches.map((match: object) => ({ ...match, isConfident: false }));
      await route.fulfill({ response, json: { ...result, outcome: "uncertain", matches } });
    });
    await page.goto(proxy.url);
    await dropImage(page, inject("image"));
    await page.getByRole("heading", { name: "Possibly one of these scenes", level: 1 }).waitFor();
    const share = page.getByRole("button", { name: "Copy the result" });
    expect(await share.count()).toBe(0);
    expect(await page.locator(".matches .button.main").count()).toBe(0);
    await page.getByRole("button", { name: "None of these" }).click();
    await page.getByRole("heading", { name: "None of these scenes", level: 1 }).waitFor();
    await page.getByLabel("What does your image show?").fill("Another show, episode 3");
    await page.getByRole("button", { name: "Send" }).click();
    await expect.poll(() => focusedText(page)).toBe("Thank you. The operators of this site will read it.");
    expect(await page.locator(".main-match").count()).toBe(0);
    expect(await page.locator("details.weaker").getAttribute("open")).toBeNull();
    await page.getByRole("button", { name: "Take it back" }).click();
    await page
      .locator(".main-match")
      .getByRole("button", { name: /^This is it/ })
      .click();
    await page.getByText("Confirmed by you").waitFor();
    await share.waitFor();
  });

  test("the searched image is shown again after a reload, back and forward", async () => {
    const { page } = await open();
    await page.goto(url);
    await searchFrame(page);
    const image = page.getByAltText("The image that was searched");
    await page.reload();
    await image.waitFor();
    await page.goBack();
    await page.getByRole("heading", { name: "Which anime is this?" }).waitFor();
    await expect.poll(() => page.title()).toBe("Which anime is this? · Koma");
    await page.goForward();
    await image.waitFor();
    expect(await image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBeGreaterThan(0);
  });

  test("a user's search is editable on another device, and no longer after sign-out", async () => {
    const { page } = await open();
    const { email, password } = await signUp(page, url);
    await page.getByRole("heading", { name: "Which anime is this?" }).waitFor();
    await dropImage(page, inject("image"));
    await confirmFirst(page);
    await page.getByText("Confirmed by you").waitFor();
    const result = page.url();

    const other = (await open()).page;
    await other.goto(`${url}/sign-in`);
    await signIn(other, { email, password });
    await other.getByRole("button", { name: "Your account: Rin" }).waitFor();
    await other.goto(result);
    await other.getByRole("button", { name: "Take it back" }).waitFor();

    await openFromMenu(page, "Sign out");
    await page.getByText("A scene that somebody found").waitFor();
    expect(await page.getByRole("button", { name: "Take it back" }).count()).toBe(0);
  });

  test("at the guest limit the image survives the sign-up, and nothing is sold without Stripe", async () => {
    const { page } = await open();
    await page.goto(inject("urlWithoutGuests"));
    await page.getByText("0 of 0 searches left today").waitFor();
    await dropImage(page, inject("image"));
    await page.getByText("after you sign in, the search continues").waitFor();
    const panel = page.getByRole("alert");
    await panel.getByText("Today's free searches are used up").waitFor();
    await panel.getByText("An account has 2 free searches a day.").waitFor();
    await page.getByText(/^With a free account: 2 a day/).waitFor();
    await panel.getByText(/^It works again in \d+ (hours?|minutes?)/).waitFor();
    await page.getByRole("link", { name: "Create a free account" }).click();
    await page.getByRole("heading", { name: "Create an account" }).waitFor();
    await signUp(page, inject("urlWithoutGuests"));
    await page.getByText("Found", { exact: true }).waitFor();
    const first = page.url();
    await dropImage(page, inject("image"));
    await expect.poll(() => page.url()).not.toBe(first);
    await page.getByText("Found", { exact: true }).waitFor();
    await dropImage(page, inject("image"));
    await page.getByRole("alert").waitFor();
    await page.waitForLoadState("networkidle");
    expect(await page.getByRole("link", { name: "Get more credits" }).count()).toBe(0);
  });

  test("the image of a guest is not searched for an account that signs in later", async () => {
    const { page } = await open();
    const searches: number[] = [];
    page.on("response", (response) => {
      if (response.url().includes("/api/anime/search")) searches.push(response.status());
    });
    await page.goto(inject("urlWithoutGuests"));
    await page.getByText("0 of 0 searches left today").waitFor();
    await dropImage(page, inject("image"));
    await page.getByText("after you sign in, the search continues").waitFor();
    await signUp(page, inject("urlWithoutGuests"));
    await page.getByRole("heading", { name: "Which anime is this?" }).waitFor();
    await page.waitForLoadState("networkidle");
    expect(searches).toEqual([429]);
    // The link of the error must not find the image afterwards either.
    await page.goto(`${inject("urlWithoutGuests")}/?resume`);
    await page.getByRole("button", { name: /^Your account/ }).waitFor();
    await page.waitForLoadState("networkidle");
    expect(searches).toEqual([429]);
  });

  test("after a sign-out, the tab has no images of the user, and Back shows neither the user's search nor the batch", async () => {
    const { page } = await open();
    await signUp(page, url);
    await page.getByRole("heading", { name: "Which anime is this?" }).waitFor();
    await page.getByLabel("Others may see what was found").uncheck();
    await dropTwoFrames(page);
    const results = page.locator(".batch li a");
    await expect.poll(() => results.count()).toBe(2);
    await results.nth(1).click();
    await page.getByAltText("The image that was searched").waitFor();
    expect((await listSavedImages(page)).length).toBeGreaterThan(1);
    await openFromMenu(page, "History");
    await page.getByRole("heading", { name: "Your searches" }).waitFor();
    await openFromMenu(page, "Sign out");
    await page.getByText("Signed out.").waitFor();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await listSavedImages(page)).toEqual([]);
    await page.goBack();
    await page.getByRole("heading", { name: "This result cannot be shown" }).waitFor();
    expect(await page.getByAltText("The image that was searched").count()).toBe(0);
    await page.goBack();
    await page.getByRole("heading", { name: "Which anime is this?" }).waitFor();
    expect(await page.locator(".batch").count()).toBe(0);
  });

  test("until the exact still is ready, no other image is shown as the answer", async () => {
    const { page } = await open();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route("**/previews/still/**", async (route) => {
      if (!new URL(route.request().url()).searchParams.has("quick")) await held;
      await route.continue();
    });
    // No other test searches this scene, so its exact still is not in the cache.
    const { examples } = Site.parse(await (await fetch(`${url}/api/site`)).json());
    const image = await fetch(`${url}${examples.at(-1)?.previewPaths?.stills.l}`);
    await page.goto(url);
    await dropImages(page, [Buffer.from(await image.arrayBuffer())]);
    const read = (selector: string) =>
      page
        .locator(`${selector} .moving`)
        .first()
        .evaluate((moving) => ({
          isBusy: moving.ariaBusy === "true",
          shown: [...moving.querySelectorAll("img")]
            .filter((image) => image.naturalWidth > 0)
            .map(({ currentSrc }) => (/^blob:|quick=true/.exec(currentSrc) ?? ["exact"])[0]),
          opacity: Number(getComputedStyle(moving.querySelector("img") ?? moving).opacity),
        }));
    // The reader's own image stands in for the best match, another frame of the shot for the others.
    const dimmed = { isBusy: true, opacity: 0.45 };
    await expect.poll(() => read(".main-match")).toEqual({ ...dimmed, shown: ["blob:"] });
    const loading = page.locator(".main-match .moving-loading");
    await loading.waitFor();
    await page.locator(".weaker > summary").click();
    await expect.poll(() => read(".other-matches")).toEqual({ ...dimmed, shown: ["quick=true"] });
    release();
    const exact = { isBusy: false, opacity: 1, shown: ["exact"] };
    await expect.poll(() => read(".main-match")).toEqual(exact);
    expect(await loading.count()).toBe(0);
    await expect.poll(() => read(".other-matches")).toEqual(exact);
  });

  test("a search is limited to one anime", async () => {
    const searches: Promise<string>[] = [];
    const proxy = await openProxy({
      onRequest: (incoming) => {
        if (incoming.url === "/api/anime/search") searches.push(readText(incoming));
      },
    });
    try {
      const { page } = await open();
      await page.goto(proxy.url);
      const all = await listAnime();
      const [{ id, title }] = all;
      await page.getByLabel("Only in this anime").fill(title.romaji);
      const found = await listAnime(title.romaji);
      expect(found.length).toBeLessThan(all.length);
      // The page shows the titles of the response and applies the filter at the same time.
      await expect.poll(() => page.locator("datalist option").count()).toBe(found.length);
      await dropImage(page, inject("image"));
      await page.getByRole("button", { name: "None of these" }).waitFor();
      const named = title.english ?? title.romaji;
      expect(await page.getByRole("heading", { level: 1 }).textContent()).toContain(named);
      const shown = await page.locator(".match-title").allTextContents();
      expect(shown.filter((one) => one !== named)).toEqual([]);
      expect(await Promise.all(searches)).toEqual([
        expect.stringContaining(`name="animeId"\r\n\r\n${id}\r\n`),
      ]);
    } finally {
      proxy.close();
    }
  });

  test("a filter text that means several or no anime prevents the search; one that means one is used", async () => {
    const { page } = await open();
    const searches = recordSearches(page);
    await page.goto(url);
    const field = page.getByLabel("Only in this anime");
    const isFocused = () => field.evaluate((element) => element === document.activeElement);
    for (const [text, problem] of [
      ["o", "Several anime match this text."],
      ["qqqq", "No anime in the library has this title."],
    ] as const) {
      await field.fill(text);
      await page.getByRole("heading", { level: 1 }).focus();
      await dropImage(page, inject("image"));
      await expect.poll(isFocused).toBe(true);
      await page.locator(".anime-field", { hasText: problem }).waitFor();
      expect(await field.getAttribute("aria-invalid")).toBe("true");
      await page.getByRole("heading", { level: 1 }).focus();
      await dropTwoFrames(page);
      await expect.poll(isFocused).toBe(true);
      expect(await page.locator(".batch").count()).toBe(0);
    }
    expect(searches).toEqual([]);
    await field.fill("iron c");
    await dropImage(page, inject("image"));
    await page.getByRole("button", { name: "None of these" }).waitFor();
    expect(searches).toHaveLength(1);
    await page.getByRole("button", { name: "Search another image" }).click();
    expect(await field.inputValue()).toBe("Iron Comet");
  });

  test("an image of another anime than the chosen one: the result says so and offers all anime", async () => {
    const { page } = await open();
    await page.goto(url);
    await searchFrame(page);
    const heading = page.getByRole("heading", { level: 1 });
    const found = await heading.textContent();
    const titles: string[] = (await listAnime()).map(({ title }: Anime) => title.english ?? title.romaji);
    const other = titles.find((title) => !found?.includes(title)) ?? "";
    await page.getByRole("button", { name: "Search another image" }).click();
    await page.getByLabel("Only in this anime").fill(other);
    await expect.poll(() => page.locator("datalist option").count()).toBe(1);
    await dropImage(page, inject("image"));
    await page.getByRole("heading", { name: `This image is not in ${other}`, level: 1 }).waitFor();
    expect(await page.getByText("The library of this site has no scene").count()).toBe(0);
    await page.reload();
    await page.getByRole("heading", { name: `This image is not in ${other}`, level: 1 }).waitFor();
    await page.getByRole("button", { name: "Search all anime" }).click();
    await page.getByText("Found", { exact: true }).waitFor();
    expect(await heading.textContent()).toBe(found);
    await page.getByAltText("The image that was searched").waitFor();
  });
});

async function listAnime(query = "") {
  const response = await fetch(`${url}/api/anime?limit=20&query=${encodeURIComponent(query)}`);
  return (await response.json()).items;
}

async function readText(incoming: IncomingMessage): Promise<string> {
  const blocks: Buffer[] = [];
  incoming.on("data", (block: Buffer) => blocks.push(block));
  await once(incoming, "end");
  return Buffer.concat(blocks).toString("latin1");
}
