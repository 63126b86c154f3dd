import { findChromium } from "@koma/testing";
import { startApi } from "@koma/testing/start-koma";
import axe from "axe-core";
import type { Frame, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { type Extension, findPanel, type MenuClick, openExtension } from "./fixtures/open-extension.ts";
import { openTestSite } from "./fixtures/open-test-page.ts";

describe.skipIf(findChromium({ withExtensions: true }) === undefined)("a search from a page", () => {
  let extension: Extension;
  let site: Awaited<ReturnType<typeof openTestSite>>;
  beforeAll(async () => {
    [extension, site] = await Promise.all([openExtension(), openTestSite()]);
  });
  afterAll(async () => {
    await extension.close();
    site.close();
  });
  beforeEach(() => extension.useServer(inject("api")));
  afterEach(() => extension.closePages());

  /** Chooses an entry of the context menu and waits for the result or error in the panel. */
  async function search(page: Page, click: MenuClick): Promise<Frame> {
    await extension.chooseMenu(page, click);
    return await waitForResponse(page);
  }
  async function waitForResponse(page: Page): Promise<Frame> {
    const panel = await findPanel(page);
    await panel.locator(".title, [role=alert]").first().waitFor();
    return panel;
  }
  const imageClick = (srcUrl: string): MenuClick => ({ menuItemId: "image", mediaType: "image", srcUrl });
  const videoClick = (srcUrl: string): MenuClick => ({ menuItemId: "video", mediaType: "video", srcUrl });

  test("an image of the same site: title, episode, time, similarity, still, clip, copy and link", async () => {
    const page = await site.open(extension);
    const panel = await search(page, imageClick(`${site.url}/image.jpg`));
    expect(await panel.locator(".title").textContent()).toBe("Iron Comet");
    expect(await panel.locator("article").innerText()).toMatch(
      /Episode 1.*\n+0:\d\d \/ 0:\d\d\n+Almost certain · 9\d/,
    );
    await expect.poll(() => isLoaded(panel, ".media img")).toBe(true);
    await panel.getByRole("button", { name: "Play clip" }).click();
    await expect.poll(() => isPlaying(panel)).toBe(true);
    await panel.getByRole("button", { name: "Copy" }).click();
    await panel.getByText("Copied").waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
      /^Iron Comet, Episode 1, 0:\d\d$/,
    );
    const link = await panel.getByRole("link", { name: "Open in Koma" }).getAttribute("href");
    expect(link).toMatch(new RegExp(`^${inject("api")}/search/[\\w-]+#token=[\\w-]+$`));
    const opened = extension.context.waitForEvent("page");
    await panel.getByRole("link", { name: "Open in Koma" }).click();
    const result = await opened;
    await result.getByRole("heading", { name: "Iron Comet", level: 1 }).waitFor();
    await expect.poll(() => result.url()).not.toContain("token");
    await page.bringToFront();
    await panel.getByRole("button", { name: "Close" }).click();
    await expect.poll(() => page.frames().length).toBe(1);
  });

  test.each([
    ["an image of another site", () => imageClick(`${site.otherUrl}/image.jpg`), "Iron Comet"],
    ["the current frame of a video", () => videoClick(`${site.url}/video.mp4`), "Lantern Road"],
    ["a video of another site", () => videoClick(`${site.otherUrl}/video.mp4`), "Lantern Road"],
    ["the largest video, from the menu of the page", () => ({ menuItemId: "page-video" }), "Lantern Road"],
  ])("%s", async (_name, click, title) => {
    const panel = await search(await site.open(extension), click());
    expect(await panel.locator(".title").textContent()).toBe(title);
  });

  test("a region drawn with the pointer", async () => {
    const page = await site.open(extension);
    const box = await page.locator("img").first().boundingBox();
    if (box === null) throw new Error("The image is not visible.");
    await extension.chooseMenu(page, { menuItemId: "region" });
    await waitForSelection(page);
    await page.mouse.move(box.x + 2, box.y + 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 2, box.y + box.height - 2, { steps: 4 });
    await page.mouse.up();
    const panel = await waitForResponse(page);
    expect(await panel.locator(".title").textContent()).toBe("Iron Comet");
  });

  test("a player in a frame of another site is suggested as a region, by keyboard", async () => {
    const page = await site.open(extension, "/framed");
    await extension.chooseMenu(page, { menuItemId: "page-video" });
    await waitForSelection(page);
    await page.keyboard.press("Enter");
    const panel = await waitForResponse(page);
    expect(await panel.locator(".title").textContent()).toBe("Lantern Road");
  });

  test("Escape cancels the selection without a panel", async () => {
    const page = await site.open(extension);
    await extension.chooseMenu(page, { menuItemId: "region" });
    await waitForSelection(page);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.locator("koma-layer").count()).toBe(0);
    expect(page.frames()).toHaveLength(1);
  });

  test("the toolbar button offers a region and the current frame; the panel itself is not captured", async () => {
    const page = await site.open(extension);
    await extension.clickButton(page);
    const start = await findPanel(page);
    // The panel can be there before the click is reported.
    const navigated = page.waitForEvent("framenavigated", (frame) => frame.url().includes("/panel.html"));
    await start.getByRole("button", { name: "Current video frame" }).click();
    await navigated;
    const panel = await waitForResponse(page);
    expect(await panel.locator(".title").textContent()).toBe("Lantern Road");
  });

  test("reports a region without a scene of the library", async () => {
    const page = await site.open(extension, "/text");
    await extension.chooseMenu(page, { menuItemId: "region" });
    await waitForSelection(page);
    await page.keyboard.press("Enter");
    const panel = await findPanel(page);
    await panel.getByText(/^(This image is not in the library|Possibly one of these scenes)$/).waitFor();
  });

  test("describes the remedy without a server, with a wrong address, a wrong key, and at the limit", async () => {
    const failures: [address: string | undefined, key: string | undefined, title: string][] = [
      [undefined, undefined, "No server is chosen"],
      ["http://127.0.0.1:9", undefined, "The server cannot be reached"],
      [site.url, undefined, "This address does not answer like a Koma server"],
      [inject("api"), `koma_${"x".repeat(52)}`, "This key doesn't work"],
    ];
    for (const [address, key, title] of failures) {
      if (address === undefined) await extension.forgetServer();
      else await extension.useServer(address, key);
      const page = await site.open(extension);
      const panel = await search(page, imageClick(`${site.url}/image.jpg`));
      expect(await panel.locator("[role=alert] .title").textContent()).toBe(title);
      expect(await panel.getByRole("button", { name: "Settings" }).count()).toBeGreaterThan(0);
      await page.close();
    }
  });

  test("with the key of an account whose credits run out", async () => {
    await extension.useServer(inject("api"), inject("apiKey"));
    for (const left of ["1", "0"]) {
      const page = await site.open(extension);
      const panel = await search(page, imageClick(`${site.url}/image.jpg`));
      await panel.getByText(`Searches left: ${left}`).waitFor();
      await page.close();
    }
    const panel = await search(await site.open(extension), imageClick(`${site.url}/image.jpg`));
    expect(await panel.locator("[role=alert]").innerText()).toMatch(
      /Your credits are used up(.|\n)*It works again/,
    );
  });

  test("at the limit of a guest: the time of the renewal, and the settings for a key", async () => {
    const api = await startApi(inject("dataDir"), { KOMA_GUEST_SEARCHES_PER_DAY: "0" });
    try {
      await extension.useServer(api.url);
      const panel = await search(await site.open(extension), imageClick(`${site.url}/image.jpg`));
      expect(await panel.locator("[role=alert]").innerText()).toMatch(
        /Today's free searches are used up(.|\n)*It works again/,
      );
      await panel.locator("button.main", { hasText: "Settings" }).waitFor();
    } finally {
      await api.stop();
    }
  });

  test("on a page that is closed to extensions, the panel is a separate tab", async () => {
    const page = await extension.context.newPage();
    await page.goto("chrome://version/");
    const opened = extension.context.waitForEvent("page");
    await extension.chooseMenu(page, { menuItemId: "region" });
    const tab = await opened;
    await tab.getByRole("heading", { name: "The browser keeps extensions out of this page" }).waitFor();
  });

  test.each(["light", "dark"] as const)(
    "the panel in %s has no accessibility violations",
    async (colorScheme) => {
      const page = await site.open(extension);
      await page.emulateMedia({ colorScheme });
      const panel = await search(page, imageClick(`${site.url}/image.jpg`));
      await panel.getByText("Other candidates").click();
      await panel.evaluate(axe.source);
      const violations = await panel.evaluate(async () => (await window.axe.run(document)).violations);
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    },
  );

  test("no page has logged an error", () => {
    expect(extension.errors.filter((text) => !text.includes("404"))).toEqual([]);
  });
});

async function waitForSelection(page: Page): Promise<void> {
  await page.locator("koma-layer").waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.localName)).toBe("koma-layer");
}

function isLoaded(panel: Frame, selector: string): Promise<boolean> {
  return panel.locator(selector).evaluate((image: HTMLImageElement) => image.naturalWidth > 0);
}

function isPlaying(panel: Frame): Promise<boolean> {
  return panel.evaluate(() => {
    const video = document.querySelector("video");
    return video !== null && video.readyState >= 2 && !video.paused;
  });
}

declare global {
  interface Window {
    axe: typeof axe;
  }
}
