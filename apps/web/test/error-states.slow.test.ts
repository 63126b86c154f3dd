import { type ErrorCode, problems } from "@koma/contract";
import { createTranslator } from "@koma/messages";
import { describe, expect, inject, test } from "vitest";
import { dropImage, fulfillProblem } from "./fixtures/acts.ts";
import { open } from "./fixtures/open-browser.ts";

const url = inject("url");
const { t } = createTranslator("en");
const codes = Object.keys(problems) as ErrorCode[];

describe.skipIf(url === "")("errors", () => {
  test("every error of the contract has a panel that states the cause and the remedy", async () => {
    const { page } = await open();
    let code: ErrorCode = "internal_error";
    // These responses are scripted: no server returns all of them to one request.
    const resetsAt = new Date(Date.now() + 7.2e6).toISOString();
    const quota = { kind: "credits", limit: 10, remaining: 0, resetsAt };
    await page.route("**/api/anime/search", (route) =>
      fulfillProblem(route, code, code === "credits_exhausted" ? { quota } : {}),
    );
    await page.goto(url);
    await page.getByText(/searches left today/).waitFor();
    const seen: string[] = [];
    for (code of codes) {
      await dropImage(page, inject("image"));
      const errorTexts = page.locator(".problem", { hasText: t(`error.${code}.title`) });
      await errorTexts.waitFor();
      const text = (await errorTexts.textContent()) ?? "";
      // Guests of this site have more searches than an account.
      const expected =
        code === "guest_limit_reached" ? "A free account has its own searches." : t(`error.${code}.text`);
      expect(text, code).toContain(expected);
      expect(text, code).toContain("request-1");
      if (waits(code)) expect(text, code).toMatch(/in (?:1 hour|60 minutes)/);
      if (code === "credits_exhausted") expect(text).toContain("in 2 hours");
      if (code === "guest_limit_reached") {
        expect(text).not.toContain("free searches a day");
        expect(await page.locator(".quota").textContent()).toContain("account: your history and API keys");
        expect(
          await errorTexts.getByRole("link", { name: "Create a free account" }).getAttribute("href"),
        ).toBe("/sign-up?next=%2F%3Fresume");
      }
      seen.push(code);
      await errorTexts.getByRole("button", { name: "Search another image" }).click();
      await errorTexts.waitFor({ state: "detached" });
    }
    expect(seen).toEqual(codes);
  });

  test("of a file at an address that is too large states the limits of images and videos", async () => {
    const { page } = await open();
    // The server does not fetch from this machine, so the response is scripted.
    await page.route("**/api/anime/search", (route) => fulfillProblem(route, "image_too_large"));
    await page.goto(`${url}/?url=https://media.example/video.mp4`);
    await page.getByRole("button", { name: "Search", exact: true }).click();
    const panel = page.getByRole("alert");
    await panel.getByText("The file is too large or too long").waitFor();
    await panel.getByText(/a video up to 10 MB and 60 seconds/).waitFor();
  });

  test("no connection, an address that may not be fetched, a file that is no image", async () => {
    const { page } = await open();
    await page.goto(url);
    await page.getByLabel("Address of an image").fill("http://127.0.0.1/x.png");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "This address can't be opened" }).waitFor();
    await page.getByRole("button", { name: "Search another image" }).click();
    await dropImage(page, new URL("../package.json", import.meta.url).pathname, "image/png");
    await page.getByRole("heading", { name: "That is not an image this browser can open" }).waitFor();
    await page.context().setOffline(true);
    await dropImage(page, inject("image"));
    await page.getByRole("heading", { name: "You are offline" }).waitFor({ timeout: 30_000 });
    await page.context().setOffline(false);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("Found", { exact: true }).waitFor();
  });

  test("a result or a page that does not exist", async () => {
    const { page } = await open();
    await page.goto(`${url}/search/unknown`);
    await page.getByRole("heading", { name: "This result cannot be shown" }).waitFor();
    expect((await page.goto(`${url}/nothing`))?.status()).toBe(404);
    await page.getByRole("heading", { name: "There is no such page" }).waitFor();
    await page.getByRole("link", { name: "To the search" }).click();
    await page.getByRole("heading", { name: "Which anime is this?" }).waitFor();
  });
});

/** The errors with `Retry-After`. */
function waits(code: ErrorCode): boolean {
  return problems[code].status === 429 || problems[code].status === 503;
}
