import { startApi } from "@koma/testing/start-koma";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { findFaults } from "./fixtures/find-faults.ts";
import { openBrowser, type TestBrowser } from "./fixtures/open-browser.ts";

const url = inject("url");

describe.skipIf(url === "")("the pages about the site", () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  test("are reachable from the footer by keyboard, and follow the language", async () => {
    const { page, errors } = await browser.open();
    await page.goto(url);
    for (const [link, headline] of [
      ["About", "About Koma"],
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

  test("show the limits, the retention and the contact of this site", async () => {
    const environment = {
      KOMA_HISTORY_DAYS: "12",
      KOMA_GUEST_SEARCHES_PER_DAY: "7",
      KOMA_CONTACT: "operator@site.example",
    };
    const api = await startApi(inject("dataDir"), environment);
    try {
      const { page } = await browser.open();
      await page.goto(`${api.url}/privacy`);
      await page.getByText("those of an account after 12 days").waitFor();
      const contact = page.getByRole("link", { name: "operator@site.example" });
      expect(await contact.getAttribute("href")).toBe("mailto:operator@site.example");
      await page.goto(`${api.url}/faq`);
      await page.getByText("Without an account 7 per day").waitFor();
      await page.goto(`${api.url}/status`);
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
    } finally {
      await api.stop();
    }
  });
});
