import { koma } from "@koma/testing/start-koma";
import { TOTP } from "otpauth";
import type { Page } from "playwright-core";
import { describe, expect, inject, test } from "vitest";
import { confirmFirst, goTo, searchFrame, signUp } from "./fixtures/acts.ts";
import { deskAndPhone, findFaults, findFaultsIn } from "./fixtures/find-faults.ts";
import { open } from "./fixtures/open-browser.ts";

const url = inject("url");
/** Pages of texts: the path, the heading and a part of the text. */
const textPages = [
  ["/about", "About Koma", /^Koma finds the anime/],
  ["/faq", "Questions", /free per day/],
  ["/privacy", "Privacy", /deleted after 24 hours, those of an account after 90 days/],
  ["/terms", "Terms of use", /^The operator offers this site/],
  ["/status", "Status", /^Available$/],
  ["/get", "Get Koma", /ShareX/],
] as const;

describe.skipIf(url === "")("every page", () => {
  test("axe finds no violation, the policy is not violated, and nothing overflows horizontally, at a desk and on a phone", async () => {
    const { page, errors } = await open();
    const found: string[] = [];
    const inspect = async (step: string) => {
      await settle(page);
      found.push(...(await findFaultsIn(page, deskAndPhone, step)));
    };

    await page.goto(url);
    await page.locator(".examples img").first().waitFor();
    await inspect("home");
    // The menu of a phone has elements of its own.
    found.push(...(await findFaults(page)));
    await searchFrame(page);
    await inspect("result");
    await page.getByText(/other candidates/).click();
    await inspect("result-all");
    await confirmFirst(page);
    await page.getByText("Confirmed by you").waitFor();
    await inspect("result-confirmed");

    await goTo(page, "/rankings?period=all", "Rankings");
    await page.locator(".ranking li").first().waitFor();
    await inspect("rankings");
    await goTo(page, "/recent", "Recently found");
    await page.locator(".scene").first().waitFor();
    await inspect("recent");
    for (const [path, headline, text] of textPages) {
      await goTo(page, path, headline);
      await page.getByText(text).first().waitFor();
      await inspect(path.slice(1));
    }
    await goTo(page, "/sign-in", "Sign in");
    await page.getByLabel("Email address").fill("nobody@site.example");
    await page.getByLabel("Password").fill("not the password");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("The email address or the password is wrong.").waitFor();
    await inspect("sign-in");
    await goTo(page, "/reset", "Forgotten password");
    await inspect("reset");
    await goTo(page, "/reset?token=x", "Choose a new password");
    await inspect("reset-choose");
    await goTo(page, "/sign-up", "Create an account");
    await inspect("sign-up");
    await goTo(page, "/sign-in?step=code", "Second factor");
    await inspect("sign-in-code");
    // A long name in the header, with words and without.
    const name = "Hoshikawa Sayuri Maximiliane Featherstonehaugh 星川小百合之助左衛門尉藤原朝臣";
    const { email, password } = await signUp(page, url, name);

    await goTo(page, "/account", "Account");
    await page.getByText("Free today").waitFor();
    await inspect("account");
    await page.getByRole("button", { name: "Delete the account" }).click();
    await inspect("account-delete");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    const twoFactor = page.getByRole("region", { name: "Second factor" });
    await twoFactor.getByRole("button", { name: "Set up the second factor" }).click();
    await twoFactor.getByLabel("Password").fill(password);
    await page.keyboard.press("Enter");
    const secret = await twoFactor.getByLabel("Secret").inputValue();
    await inspect("account-two-factor");
    await twoFactor.getByLabel("Code of the authenticator app").fill(new TOTP({ secret }).generate());
    await page.keyboard.press("Enter");
    await twoFactor.getByLabel("Recovery codes").waitFor();
    await inspect("account-recovery-codes");
    await goTo(page, "/keys", "API keys");
    await page.getByLabel("What is it for?").fill("My script");
    await page.getByRole("button", { name: "Create the key" }).click();
    await page.getByText("Your new key").waitFor();
    await inspect("keys");
    await goTo(page, "/", "Which anime is this?");
    await page
      .getByRole("button", { name: /^Try a frame of/ })
      .nth(1)
      .click();
    await page.getByText("Found", { exact: true }).waitFor();
    await goTo(page, "/history", "Your searches");
    await page.locator(".scene").first().waitFor();
    const counts = await page
      .getByRole("region", { name: "The last 30 days" })
      .getByRole("cell")
      .allTextContents();
    // The guest's search from above was added to the new account.
    expect(counts.reduce((sum, count) => sum + (Number(count) || 0), 0)).toBe(2);
    await inspect("history");
    await goTo(page, "/device", "Connect a bot");
    await inspect("device");
    await goTo(page, `/device?code=${await askToLink()}`, "Connect a bot");
    await page.getByRole("button", { name: "Approve" }).waitFor();
    await inspect("device-question");

    await koma(inject("dataDir"), "user", "admin", email);
    await page.reload();
    await goTo(page, "/library", "Library");
    await page.locator(".library-anime summary").first().click();
    await page.locator(".library-anime .rows li").first().waitFor();
    await inspect("library");
    await goTo(page, "/operator", "Operator");
    await page.getByText("Searches work").waitFor();
    await inspect("operator");
    await page.getByText("Library", { exact: true }).first().click();
    await page
      .getByRole("button", { name: /^Show the episodes of/ })
      .first()
      .waitFor();
    await inspect("operator-library");
    await page.getByText("Users", { exact: true }).first().click();
    await page.getByText(email).waitFor();
    await inspect("operator-users");
    await page.getByText("Blocked chats", { exact: true }).first().click();
    const note = "Spam of a chat";
    await page.getByLabel("Chat", { exact: true }).fill("discord:123");
    await page.getByLabel("Note").fill(note);
    await page.keyboard.press("Enter");
    const unblock = page.getByRole("button", { name: `Unblock ${note}` });
    await unblock.waitFor();
    await inspect("operator-blocked");
    await unblock.press("Enter");
    await unblock.waitFor({ state: "detached" });
    await page.getByText("Actions", { exact: true }).first().click();
    await page.getByText("chat.unblock").first().waitFor();
    await inspect("operator-log");

    expect(found).toEqual([]);
    // The browser itself logs rejected sign-ins.
    expect(errors.filter((error) => !error.includes("401"))).toEqual([]);
  }, 240_000);

  test("names the feed of the ranking, which is well-formed Atom", async () => {
    const { page } = await open();
    await page.goto(`${url}/rankings`);
    const link = page.locator('link[type="application/atom+xml"]');
    const feed = await (await fetch(new URL((await link.getAttribute("href")) ?? "", `${url}/`))).text();
    // The policy of the page has no parser.
    await page.goto("about:blank");
    const parsed = await page.evaluate((text) => {
      const document = new DOMParser().parseFromString(text, "application/xml");
      const { localName, namespaceURI, children } = document.documentElement;
      return { localName, namespaceURI, names: [...children].map((child) => child.localName) };
    }, feed);
    expect(parsed).toMatchObject({ localName: "feed", namespaceURI: "http://www.w3.org/2005/Atom" });
    const names = ["id", "title", "subtitle", "updated", "author", "link", "link"];
    expect(parsed.names.slice(0, names.length)).toEqual(names);
  });
});

/** Waits for lists and images, and makes text fields as wide as the fonts of some browsers do. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    while (document.querySelector("[aria-busy=true]:not(.moving)")) await new Promise(requestAnimationFrame);
    const images = [...document.images].filter((image) => image.loading !== "lazy");
    await Promise.all(images.map((image) => image.decode().catch(() => {})));
    for (const input of document.querySelectorAll("input")) input.size = 40;
  });
}

async function askToLink(): Promise<string> {
  const response = await fetch(`${url}/api/links`, {
    method: "POST",
    headers: { authorization: `Bearer ${inject("botKey")}`, "content-type": "application/json" },
    body: JSON.stringify({
      chatUser: `telegram:${Date.now()}`,
      displayName: "Ed",
      platform: "telegram",
    }),
  });
  const { userCode } = (await response.json()) as { userCode: string };
  return userCode;
}
