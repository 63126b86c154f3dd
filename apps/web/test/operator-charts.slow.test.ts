import type { DailyTotals } from "@koma/contract";
import type { Page } from "playwright-core";
import { describe, expect, inject, test } from "vitest";
import { dropImage } from "./fixtures/acts.ts";
import { deskAndPhone, findFaults, findFaultsIn } from "./fixtures/find-faults.ts";
import { open, openAdministrator } from "./fixtures/open-browser.ts";

const address = "**/api/operator/daily-totals";

describe.skipIf(inject("url") === "")("charts of the operator page", () => {
  const respond = (page: Page, days: DailyTotals["days"], weeks = generateWeeks()) =>
    page.route(address, (route) => route.fulfill({ json: { days, weeks } }));
  const goToCharts = (page: Page) => page.goto(`${inject("url")}/operator`);
  const readChart = async (page: Page, name: string) => {
    const chart = page.getByRole("region", { name });
    await chart.waitFor();
    const names = await chart.getByRole("term").allTextContents();
    const figures = await chart.locator("dd:not([aria-hidden])").allTextContents();
    return Object.fromEntries(names.map((each, index) => [each, figures[index]]));
  };

  test("show totals and shares, and each day as a table", async () => {
    const { page, errors } = await openAdministrator();
    await respond(page, generateDays());
    await goToCharts(page);
    expect(await readChart(page, "Searches by outcome")).toEqual({
      All: "4,185",
      Found: "2,790 · 66.6%",
      Uncertain: "930 · 22.2%",
      "Not in the library": "465 · 11.1%",
      Failed: "0 · 0%",
    });
    expect(await readChart(page, "Searches by caller")).toEqual({
      All: "4,185",
      Guests: "1,395 · 33.3%",
      "Signed-in users": "1,395 · 33.3%",
      "API keys": "0 · 0%",
      Bots: "1,395 · 33.3%",
    });
    expect(await readChart(page, "Growth of the library")).toEqual({ "Indexed episodes": "60" });
    const confidence = page.getByRole("region", { name: "Confident answers that users rated" });
    expect(await readChart(page, "Confident answers that users rated")).toEqual({
      Right: "90%",
      Rated: "120",
    });
    expect(await confidence.getByRole("row").nth(1).allTextContents()).toEqual(["2026-09-07–0"]);
    expect(await confidence.getByRole("row").nth(12).allTextContents()).toEqual(["2026-11-2390%20"]);
    const rows = page.getByRole("region", { name: "Searches by outcome" }).getByRole("row");
    expect(await rows.count()).toBe(31);
    expect(await rows.nth(0).getByRole("columnheader").allTextContents()).toEqual([
      "Day (UTC)",
      ...["All", "Found", "Uncertain", "Not in the library", "Failed"],
    ]);
    expect(await rows.nth(30).getByRole("rowheader").textContent()).toBe("2026-11-30");
    expect(await rows.nth(30).getByRole("cell").allTextContents()).toEqual(["270", "180", "60", "30", "0"]);
    // The bars of a chart have one scale.
    const bars = page.getByRole("region", { name: "Searches by outcome" }).locator("svg");
    const heights = await bars.evaluateAll((charts) =>
      charts.map((chart) => Number(chart.querySelector("rect:last-child")?.getAttribute("height"))),
    );
    expect(heights.map(Math.round)).toEqual([60, 40, 13, 7, 1]);
    expect(errors).toEqual([]);
  });

  test("are accessible and fit a desk and a phone, also from right to left", async () => {
    const { page, errors } = await openAdministrator();
    await respond(page, generateDays());
    await goToCharts(page);
    for (const [language, forms] of [
      ["es", [[320, "light"]]],
      ["ru", [[320, "dark"]]],
      ["en", deskAndPhone],
      ["ar", deskAndPhone],
    ] as const) {
      await page.locator("footer select").last().selectOption(language);
      await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe(language);
      await page.locator(".charts svg").first().waitFor();
      expect(await findFaultsIn(page, forms, `charts-${language}`)).toEqual([]);
      // In languages that are written from right to left, the last day is on the left.
      const [first, last] = await page
        .locator(".charts svg")
        .first()
        .locator("rect")
        .evaluateAll((bars) => [bars[0], bars.at(-1)].map((bar) => bar?.getBoundingClientRect().x ?? 0));
      expect([language, Number(first) > Number(last)]).toEqual([language, language === "ar"]);
    }
    expect(errors).toEqual([]);
  });

  test("say that nothing was counted, and load again after an error", async () => {
    const { page } = await openAdministrator();
    await page.route(address, (route) => route.fulfill({ status: 500, json: {} }));
    await goToCharts(page);
    await page.getByText("Searches work").waitFor();
    const retry = page.getByRole("button", { name: "Try again" });
    await retry.waitFor();
    await page.unroute(address);
    await respond(page, generateDays(0), generateWeeks(0));
    await retry.click();
    await page.getByText("No episode was indexed in the last 30 days.").waitFor();
    expect(await page.getByText("There were no searches in the last 30 days.").count()).toBe(2);
    await page.getByText("In the last 12 weeks no user rated a confident answer.").waitFor();
    expect(await page.locator(".charts svg").count()).toBe(0);
    expect(await findFaults(page)).toEqual([]);
  });

  test("count a search of a visitor", async () => {
    const visitor = await open();
    await visitor.page.goto(inject("url"));
    await dropImage(visitor.page, inject("image"));
    await visitor.page.locator(".scene, .match").first().waitFor();
    const { page } = await openAdministrator();
    await goToCharts(page);
    const { Guests = "" } = await readChart(page, "Searches by caller");
    expect(Number.parseInt(Guests, 10)).toBeGreaterThan(0);
    const { "Indexed episodes": indexed = "" } = await readChart(page, "Growth of the library");
    expect(Number.parseInt(indexed, 10)).toBeGreaterThan(0);
  });
});

/** 30 days with more searches on each one; none if the factor is 0. */
function generateDays(factor = 1): DailyTotals["days"] {
  return Array.from({ length: 30 }, (_, index) => {
    const n = (index + 1) * factor;
    return {
      day: `2026-11-${String(index + 1).padStart(2, "0")}`,
      outcomes: { found: 6 * n, uncertain: 2 * n, notInLibrary: n, failed: 0 },
      callers: { guest: 3 * n, session: 3 * n, key: 0, bot: 3 * n },
      indexedEpisodes: index % 2 === 0 ? 4 * factor : 0,
    };
  });
}

/** 12 weeks with ten rated answers each, twenty in the last one and none in the first; nine of ten are right. */
function generateWeeks(factor = 1): DailyTotals["weeks"] {
  return Array.from({ length: 12 }, (_, index) => {
    const at = new Date("2026-09-07T00:00:00Z");
    at.setUTCDate(at.getUTCDate() + 7 * index);
    const tens = index === 0 ? 0 : (index === 11 ? 2 : 1) * factor;
    return { firstDay: at.toISOString().slice(0, 10), right: 9 * tens, wrong: tens };
  });
}
