import type { BrowserContextOptions } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { findFaults } from "./fixtures/find-faults.ts";
import { openBrowser, phone, type TestBrowser } from "./fixtures/open-browser.ts";

const url = inject("url");

describe.skipIf(url === "")("the API documentation", () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  test("the sample of a search names the server and sends an image, with nothing from other servers", async () => {
    const { page, errors } = await browser.open();
    const foreign: string[] = [];
    page.on("request", (request) => {
      if (/^https?:/.test(request.url()) && !request.url().startsWith(url)) foreign.push(request.url());
    });
    await page.goto(`${url}/docs#tag/search/POST/api/anime/search`);
    const readText = () => page.evaluate(() => document.body.innerText);
    await expect.poll(readText).toContain(`curl ${url}/api/anime/search \\\n  -F image=@screenshot.jpg`);
    await page
      .getByRole("button", { name: /Test Request.*\/api\/anime\/search\b/i })
      .first()
      .click();
    const dialog = page.getByRole("dialog");
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      dialog
        .getByRole("button", { name: /Select File/ })
        .first()
        .click(),
    ]);
    await chooser.setFiles(inject("image"));
    const [response] = await Promise.all([
      page.waitForResponse("**/api/anime/search"),
      dialog.getByRole("button", { name: /^Send/ }).first().click(),
    ]);
    expect([response.url(), response.status()]).toEqual([`${url}/api/anime/search`, 200]);
    await dialog.getByText("200").first().waitFor();
    await page.goto(`${url}/docs#tag/search/GET/api/anime/quota`);
    await expect.poll(readText).toContain(`curl ${url}/api/anime/quota`);
    expect(foreign).toEqual([]);
    expect(errors).toEqual([]);
  });

  test("start with a guide, and axe finds no violation at a desk", async () => {
    const { page, errors } = await openGuide();
    expect(await findFaults(page)).toEqual([]);
    const back = page.getByRole("link", { name: "Back to Koma" }).first();
    expect(await back.getAttribute("href")).toBe(`${url}/`);
    expect(errors).toEqual([]);
  });

  test("fit a phone, in dark", async () => {
    const { page, errors } = await openGuide({ ...phone, colorScheme: "dark" });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    expect(await findFaults(page, { isKnown: true })).toEqual([]);
    expect(errors).toEqual([]);
  });

  test.each([320, 1280])("/connect fits %i px, and axe finds no violation", async (width) => {
    const { page, errors } = await browser.open({ viewport: { width, height: 800 } });
    await page.goto(`${url}/connect`);
    await page.getByRole("heading", { name: "Connect to Koma" }).waitFor();
    expect(await findFaults(page)).toEqual([]);
    expect(errors).toEqual([]);
  });

  async function openGuide(options: BrowserContextOptions = {}) {
    const opened = await browser.open(options);
    await opened.page.goto(`${url}/docs`);
    for (const heading of ["First call", "API key", "Errors", "Limits", "Retries", "Search"])
      await opened.page.getByRole("heading", { name: heading, exact: true }).first().waitFor();
    return opened;
  }
});
