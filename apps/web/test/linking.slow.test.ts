import { LinkedKey, NewLink } from "@koma/contract";
import { describe, expect, inject, test } from "vitest";
import { openFromMenu, signUp } from "./fixtures/acts.ts";
import { open, phone } from "./fixtures/open-browser.ts";

const url = inject("url");
let chatUsers = Date.now();

describe.skipIf(url === "")("linking a bot", () => {
  test("a user without an account follows the link, signs up, approves; the bot searches with the key", async () => {
    const { page, errors } = await open(phone);
    const bot = await askToLink("Spike");
    expect(bot.link.verificationUrl).toBe(`${url}/device?code=${bot.link.userCode}`);
    await page.goto(bot.link.verificationUrl);
    await page.getByRole("link", { name: "No account yet? Create one" }).click();
    await page.getByRole("heading", { name: "Create an account" }).waitFor();
    await signUp(page, url);
    await page.getByRole("heading", { name: "Spike wants to search with your account" }).waitFor();
    for (const fact of ["Discord", bot.chatUser, bot.link.userCode, "Discord: Spike"]) {
      await page.getByRole("definition").filter({ hasText: fact }).first().waitFor();
    }
    // A bot that asks for its key twice within an interval gets `slow_down`, so another one asks too early.
    const other = await askToLink("Ein");
    expect(await other.claim()).toMatchObject({ status: 202 });
    await page.getByRole("button", { name: "Approve" }).click();
    const connected = page.getByRole("heading", { name: "Connected" });
    await expect.poll(() => connected.evaluate((element) => element === document.activeElement)).toBe(true);
    const claimed = await bot.claim();
    const { key, title } = LinkedKey.parse(claimed.body);
    expect(title).toBe("Discord: Spike");
    const credits = await fetch(`${url}/api/user/anime-credits`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(credits.status).toBe(200);
    await openFromMenu(page, "API keys");
    await page.getByText("Discord: Spike").waitFor();
    expect(errors).toEqual([]);
  });

  test("a code that is first mistyped, then denied", async () => {
    const { page } = await open();
    await signUp(page, url);
    await openFromMenu(page, "Connect a bot");
    await page.getByLabel("Code of the bot").fill("bbbb bbbb");
    expect(await page.getByLabel("Code of the bot").inputValue()).toBe("BBBB-BBBB");
    await page.getByRole("button", { name: "Go on" }).click();
    await page.getByText("No bot is waiting for this code.").waitFor();
    const bot = await askToLink("Faye");
    await page.getByLabel("Code of the bot").fill(bot.link.userCode.toLowerCase().replace("-", ""));
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Refuse" }).click();
    await page.getByRole("heading", { name: "Refused" }).waitFor();
    expect(await bot.claim()).toMatchObject({ status: 403, body: { code: "link_denied" } });
    await page.goto(`${url}/link?code=${bot.link.userCode}`);
    await page.getByRole("heading", { name: "This code has expired" }).waitFor();
  });
});

/**
 * The requests of a bot, as the bots' core sends them: with the bots' key for a link, then for the user's
 * key.
 */
async function askToLink(displayName: string) {
  chatUsers += 1;
  const chatUser = `discord:${chatUsers}`;
  const link = NewLink.parse((await post("/api/links", { chatUser, displayName, platform: "discord" })).body);
  return {
    chatUser,
    link,
    claim: () => post("/api/links/token", { deviceCode: link.deviceCode }),
  };
}

async function post(path: string, body: object) {
  const response = await fetch(`${url}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${inject("botKey")}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? undefined : (JSON.parse(text) as unknown) };
}
