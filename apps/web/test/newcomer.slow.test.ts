import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { SearchResult } from "@koma/contract";
import type { BrowserContextOptions } from "playwright-core";
import { describe, expect, inject, test } from "vitest";
import { openFromMenu, searchFrame, signUp } from "./fixtures/acts.ts";
import { findFaults } from "./fixtures/find-faults.ts";
import { open, phone } from "./fixtures/open-browser.ts";

const url = inject("url");
const run = promisify(execFile);
const devices: [string, BrowserContextOptions][] = [
  ["at a desk", {}],
  ["on a phone", phone],
];

describe.skipIf(url === "")("a first visit", () => {
  test.each(devices)(
    "%s: drop, result, confirm, sign up, key, curl with that key",
    async (_where, device) => {
      const { page, errors } = await open(device);
      await page.goto(url);
      await page.getByText(/of 100,000 searches left today/).waitFor();
      await searchFrame(page);
      expect(page.url()).toMatch(/\/search\/[\w-]+$/);
      const first = page.locator(".main-match");
      expect(await first.locator(".likeness").textContent()).toMatch(/Almost certain · 9\d\.\d%/);
      const heading = (await page.getByRole("heading", { level: 1 }).textContent()) ?? "";
      const [title = ""] = heading.replace(/[\u2068\u2069]/g, "").split(/, Episode/);
      expect(await first.getByText(title, { exact: true }).count()).toBe(0);

      // The page says so before the server has it, and the list is read once.
      const confirmed = page.waitForResponse("**/confirm");
      await first.getByRole("button", { name: /^This is it/ }).click();
      await first.getByText("Confirmed by you").waitFor();
      await confirmed;
      await page.getByRole("link", { name: "Recent" }).click();
      await page.getByRole("heading", { name: "Recently found" }).waitFor();
      await page.locator(".scene", { hasText: title }).first().click();
      await page.getByText("Confirmed by you").waitFor();

      await page.getByRole("link", { name: "Create an account" }).click();
      await signUp(page, url);
      await openFromMenu(page, "API keys");
      await page.getByLabel("What is it for?").fill("My script");
      await page.getByRole("button", { name: "Create the key" }).click();
      const line = await page.getByLabel("Try it at once:").inputValue();
      expect(await page.getByLabel("API key", { exact: true }).inputValue()).toMatch(/^koma_\w{52}$/);

      const works = line.replace("@screenshot.jpg", `@${inject("image")}`);
      const { stdout } = await run("sh", ["-c", `${works} --silent`]);
      const response = SearchResult.parse(JSON.parse(stdout));
      expect(response.matches[0]?.anime.title.romaji).toBe(title);
      expect(response.quota).toMatchObject({ kind: "credits", remaining: 9 });

      await page.reload();
      expect(await page.getByText(/^koma_\w{52}$/).count()).toBe(0);
      await page.getByText("Last used").waitFor();
      await page.getByRole("button", { name: "Revoke My script" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
      await page.getByText("You have no keys yet.").waitFor();
      const refused = await run("sh", ["-c", `${works} --silent`]);
      expect(JSON.parse(refused.stdout)).toMatchObject({ code: "invalid_api_key" });
      expect(errors).toEqual([]);
    },
  );

  test("without an image: an example frame, then its clip, which plays by itself", async () => {
    const { page, errors } = await open({ reducedMotion: "no-preference" });
    await page.goto(url);
    await page
      .getByRole("button", { name: /^Try a frame of/ })
      .first()
      .click();
    await page.getByText("Found", { exact: true }).waitFor();
    const video = page.locator(".main-match video");
    const isPlaying = () =>
      video.evaluate((element: HTMLVideoElement) => element.readyState >= 2 && !element.paused);
    await expect.poll(isPlaying).toBe(true);
    expect(await video.evaluate((element: HTMLVideoElement) => element.muted)).toBe(true);
    await page.evaluate(() => {
      document.body.style.paddingBottom = "3000px";
      scrollTo(0, 2500);
    });
    await expect.poll(isPlaying).toBe(false);
    await page.evaluate(() => scrollTo(0, 0));
    await expect.poll(isPlaying).toBe(true);
    await page.evaluate(() => document.body.style.removeProperty("padding-bottom"));
    const position = page.getByRole("slider", { name: "Position in the clip" });
    await expect
      .poll(() => position.evaluate((slider: HTMLInputElement) => Number(slider.max)))
      .toBeGreaterThan(1);
    await position.focus();
    await video.evaluate((element: HTMLVideoElement) => {
      element.pause();
      const note = () => element.setAttribute("data-rest", String(element.duration - element.currentTime));
      element.addEventListener("seeking", note, { once: true });
    });
    await page.keyboard.press("End");
    await expect.poll(() => video.getAttribute("data-rest")).not.toBeNull();
    expect(Number(await video.getAttribute("data-rest"))).toBeLessThan(0.1);
    await expect.poll(isPlaying).toBe(true);
    expect(await position.getAttribute("aria-valuetext")).toMatch(/^00:\d\d:\d\d\.\d{3}$/);
    expect(await findFaults(page)).toEqual([]);
    await page.getByRole("button", { name: "Full screen" }).click();
    const isFullScreen = () => page.evaluate(() => document.fullscreenElement?.matches(".moving"));
    await expect.poll(isFullScreen).toBe(true);
    await page.getByRole("button", { name: "Stop the clip" }).click();
    await expect.poll(() => page.evaluate(() => document.fullscreenElement)).toBeNull();
    // A clip that was stopped does not begin again by itself.
    await page.locator(".main-match .moving").hover();
    await page.getByRole("button", { name: "Play the clip" }).waitFor();
    expect(await video.count()).toBe(0);
    expect(errors).toEqual([]);
  });

  test("works with the keyboard alone, and announces events to screen readers", async () => {
    const { page } = await open();
    await page.goto(url);
    await page
      .getByRole("button", { name: /^Try a frame of/ })
      .first()
      .waitFor();
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to the content");
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByText("Found", { exact: true }).waitFor();
    const heading = /^.+, Episode \d+, \d+:\d\d$/;
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toMatch(heading);
    await expect.poll(() => page.getByRole("status").textContent()).toMatch(heading);
    expect(await page.title()).toMatch(/^.+, Episode \d+, \d+:\d\d · Koma$/);
  });
});
