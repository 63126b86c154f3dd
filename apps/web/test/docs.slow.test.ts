import { describe, expect, inject, test } from "vitest";
import { deskAndPhone, findFaultsIn } from "./fixtures/find-faults.ts";
import { open } from "./fixtures/open-browser.ts";

const url = inject("url");

describe.skipIf(url === "")("the API documentation", () => {
  test("the sample of a search names the server and sends an image, with nothing from other servers", async () => {
    const { page, errors } = await open();
    const foreign: string[] = [];
    page.on("request", (request) => {
      if (/^https?:/.test(request.url()) && !request.url().startsWith(url)) foreign.push(request.url());
    });
    await page.goto(`${url}/docs#tag/search/POST/api/anime/search`);
    // The layout of this page takes long.
    const readText = () => page.evaluate(() => document.body.innerText);
    await expect
      .poll(readText, { interval: 500 })
      .toContain(`curl ${url}/api/anime/search \\\n  -F image=@screenshot.jpg`);
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
    await expect.poll(readText, { interval: 500 }).toContain(`curl ${url}/api/anime/quota`);
    expect(foreign).toEqual([]);
    expect(errors).toEqual([]);
  });

  test("start with a guide that fits a desk and a phone", async () => {
    const { page, errors } = await open();
    await page.goto(`${url}/docs`);
    for (const heading of ["First call", "API key", "Errors", "Limits", "Retries", "Search"])
      await page.getByRole("heading", { name: heading, exact: true }).first().waitFor();
    const back = page.getByRole("link", { name: "Back to Koma" }).first();
    expect(await back.getAttribute("href")).toBe(`${url}/`);
    expect(
      await findFaultsIn(
        page,
        [
          [1280, "light"],
          [360, "dark"],
        ],
        "docs",
      ),
    ).toEqual([]);
    await page.goto(`${url}/connect`);
    await page.getByRole("heading", { name: "Connect to Koma" }).waitFor();
    expect(await findFaultsIn(page, deskAndPhone, "connect")).toEqual([]);
    expect(errors).toEqual([]);
  });
});
