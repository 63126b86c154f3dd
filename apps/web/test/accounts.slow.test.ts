import { text } from "node:stream/consumers";
import { startApi } from "@koma/testing/start-koma";
import { TOTP } from "otpauth";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { focusedText, goTo, openFromMenu, signIn, signUp } from "./fixtures/acts.ts";
import { open } from "./fixtures/open-browser.ts";
import { cheapPasswords } from "./fixtures/prepare.ts";

describe.skipIf(inject("url") === "")("an account", () => {
  let api: Awaited<ReturnType<typeof startApi>>;
  beforeAll(async () => {
    const settings = {
      STRIPE_SECRET_KEY: "sk_test_1",
      STRIPE_WEBHOOK_SECRET: "whsec_1",
      KOMA_STRIPE_PRODUCTS: "price_a=100,price_b=500",
      DISCORD_CLIENT_ID: "1",
      DISCORD_CLIENT_SECRET: "secret",
    };
    api = await startApi(inject("dataDir"), settings, cheapPasswords);
  });
  afterAll(async () => {
    await api.stop();
  });

  test("a forgotten password is replaced by the link of the mail", async () => {
    const { page, errors } = await open();
    const { email } = await signUp(page, api.url);
    const otherTab = await page.context().newPage();
    await otherTab.goto(`${api.url}/account`);
    await otherTab.getByText(/^Hello, Rin/).waitFor();
    await openFromMenu(page, "Sign out");
    await otherTab.getByText(/^Hello, Rin/).waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Sign in" }).click();
    await page.getByRole("link", { name: "Forgot the password?" }).click();
    // The page before it has a field of the same name.
    await page.getByRole("heading", { name: "Forgotten password" }).waitFor();
    await page.getByLabel("Email address").fill(email);
    await page.getByRole("button", { name: "Send the link" }).click();
    await page.getByRole("heading", { name: "The link is in the server's log" }).waitFor();
    const findLink = () => /Choose a new password \(for [^)]+\): (http[^"\s]+)/.exec(api.log())?.[1];
    await expect.poll(findLink).toBeDefined();
    await page.goto(findLink() ?? "");
    await page.getByRole("heading", { name: "Choose a new password" }).waitFor();
    await page.getByLabel("New password").fill("another password");
    await page.getByRole("button", { name: "Save the password" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.getByLabel("Email address").fill(email);
    await page.getByLabel("Password").fill("another password");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Your account: Rin" }).waitFor();
    expect(errors).toEqual([]);
  });

  test("shows the products and the outcome of a purchase, and is deleted with the password", async () => {
    const { page } = await open();
    const { password } = await signUp(page, api.url);
    await page.goto(`${api.url}/account?purchase=done`);
    await page.getByText("The credits arrive within a minute.").waitFor();
    await page.getByRole("button", { name: "100 searches" }).waitFor();
    await page.getByRole("button", { name: "500 searches" }).waitFor();
    await page.getByRole("button", { name: "Delete the account" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Password").fill("not the password");
    await dialog.getByRole("button", { name: "Yes, delete everything" }).click();
    await dialog.getByText("The password is wrong.").waitFor();
    await dialog.getByLabel("Password").fill(password);
    await dialog.getByRole("button", { name: "Yes, delete everything" }).click();
    await page.getByText("Your account is deleted.").first().waitFor();
    await page.getByRole("link", { name: "Sign in" }).waitFor();
  });

  test("creates an API key with a scope and an end, and lists both", async () => {
    const { page, errors } = await open();
    await signUp(page, api.url);
    await goTo(page, "/keys", "API keys");
    await page.getByLabel("What is it for?").fill("Balance");
    await page.getByLabel("What may it do?").selectOption("Read your credits");
    await page.getByLabel("Valid").selectOption({ index: 2 });
    const chosen = await page.getByLabel("Valid").locator("option:checked").textContent();
    await page.getByRole("button", { name: "Create the key" }).click();
    const key = await page.getByLabel("API key", { exact: true }).inputValue();
    expect(await page.getByLabel("Try it at once:").inputValue()).toContain("/api/user/anime-credits");
    const item = page.getByRole("listitem").filter({ hasText: "Balance" });
    expect(chosen).toMatch(/^Until .+ 20\d\d$/);
    expect(await item.textContent()).toContain(`${chosen} · Read your credits`);
    const ask = async (path: string) =>
      (await fetch(`${api.url}${path}`, { headers: { authorization: `Bearer ${key}` } })).status;
    expect([await ask("/api/user/anime-credits"), await ask("/api/anime/quota")]).toEqual([200, 403]);
    await item.getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await item.waitFor({ state: "detached" });
    expect(await focusedText(page)).toBe("API keys");
    expect(errors).toEqual([]);
  });

  test("lists the signed-in devices, and a change of the password signs out others and revokes keys", async () => {
    const { page } = await open();
    const { email, password } = await signUp(page, api.url);
    const elsewhere = await open();
    const signInElsewhere = async () => {
      await elsewhere.page.goto(`${api.url}/sign-in`);
      await signIn(elsewhere.page, { email, password });
      await elsewhere.page.getByRole("button", { name: "Your account: Rin" }).waitFor();
    };
    const devices = page.getByRole("region", { name: "Signed-in devices" });
    await signInElsewhere();
    await goTo(page, "/account", "Account");
    await devices.getByText("this device").waitFor();
    await devices.getByRole("button", { name: /^Sign out Chrome/ }).click();
    await page
      .getByText(/^Chrome, \w+ is signed out\.$/)
      .first()
      .waitFor();
    await expect.poll(() => devices.getByRole("listitem").count()).toBe(1);
    expect(await focusedText(page)).toBe("Signed-in devices");
    await elsewhere.page.goto(`${api.url}/account`);
    await elsewhere.page.getByRole("link", { name: "Sign in" }).first().waitFor();
    await signInElsewhere();
    await goTo(page, "/keys", "API keys");
    await page.getByLabel("What is it for?").fill("Script");
    await page.getByRole("button", { name: "Create the key" }).click();
    await page.getByRole("heading", { name: "Your new key: Script" }).waitFor();
    await goTo(page, "/account", "Account");
    await page.getByLabel("Current password").fill(password);
    await page.getByLabel("New password").fill("Password123");
    await page.getByRole("button", { name: "Change", exact: true }).click();
    await page.getByText("This password is too common. Choose another one.").waitFor();
    await page.getByLabel("New password").fill("a longer password");
    await page.getByLabel("Also revoke all API keys; programs and linked bots stop working").check();
    await page.getByRole("button", { name: "Change", exact: true }).click();
    await page
      .getByText(/all API keys are revoked\.$/)
      .first()
      .waitFor();
    await expect.poll(() => devices.getByRole("listitem").count()).toBe(1);
    await goTo(page, "/keys", "API keys");
    await page.getByText("You have no keys yet.").waitFor();
  });

  test("a second factor is set up, needed at the sign-in, replaced by a recovery code and turned off", async () => {
    const { page, errors } = await open();
    const { email, password } = await signUp(page, api.url);
    await goTo(page, "/account", "Account");
    const section = page.getByRole("region", { name: "Second factor" });
    await section.getByRole("button", { name: "Set up the second factor" }).click();
    const isFocused = (label: string) =>
      section.getByLabel(label).evaluate((field) => field === document.activeElement);
    expect(await isFocused("Password")).toBe(true);
    await section.getByLabel("Password").fill("not the password");
    await section.getByRole("button", { name: "Set up the second factor" }).click();
    await section.getByText("The password is wrong.").waitFor();
    await section.getByLabel("Password").fill(password);
    await section.getByRole("button", { name: "Set up the second factor" }).click();
    await section.getByRole("img", { name: "QR code for the authenticator app" }).waitFor();
    expect(await isFocused("Code of the authenticator app")).toBe(true);
    const app = new TOTP({ secret: await section.getByLabel("Secret").inputValue() });
    await section.getByLabel("Code of the authenticator app").fill("12345");
    await section.getByRole("button", { name: "Turn on" }).click();
    await section.getByText("The code is wrong or was used before.").waitFor();
    await expect.poll(() => isFocused("Code of the authenticator app")).toBe(true);
    await section.getByLabel("Code of the authenticator app").fill(app.generate());
    await section.getByRole("button", { name: "Turn on" }).click();
    await section.getByText("Every sign-in needs a code of your authenticator app.").waitFor();
    const recoveryCodes = (await section.getByLabel("Recovery codes").inputValue()).split("\n");
    expect(recoveryCodes).toHaveLength(10);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      section.getByRole("link", { name: "Download the codes" }).click(),
    ]);
    expect(await text(await download.createReadStream())).toBe(`${recoveryCodes.join("\n")}\n`);

    const signInAgain = async () => {
      await openFromMenu(page, "Sign out");
      await page.getByRole("link", { name: "Sign in" }).click();
      await signIn(page, { email, password });
      await page.getByRole("heading", { name: "Second factor" }).waitFor();
    };
    await signInAgain();
    await page.locator("input[autocomplete=one-time-code]:focus").fill("12345");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("The code is wrong or was used before.").waitFor();
    await page.locator("input[autocomplete=one-time-code]:focus").waitFor();
    // The code of the next 30 seconds, because each is accepted once.
    const code = app.generate({ timestamp: Date.now() + 30_000 });
    await page.getByLabel("Code of the authenticator app").fill(`${code.slice(0, 3)} ${code.slice(3)}`);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Your account: Rin" }).waitFor();
    await signInAgain();
    await page.getByRole("button", { name: "Use a recovery code" }).click();
    await page.getByLabel("Recovery code").fill(recoveryCodes[0] ?? "");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Your account: Rin" }).waitFor();
    await goTo(page, "/account", "Account");
    await section.getByRole("button", { name: "Turn the second factor off" }).click();
    await section.getByLabel("Password").fill(password);
    const codeField = section.getByLabel("Code of the authenticator app / Recovery code");
    await codeField.fill("not a code");
    await section.getByRole("button", { name: "Turn the second factor off" }).click();
    await section.getByText("This recovery code is wrong or was used before.").waitFor();
    await codeField.fill(recoveryCodes[1] ?? "");
    await section.getByRole("button", { name: "Turn the second factor off" }).click();
    await section.getByRole("button", { name: "Set up the second factor" }).waitFor();
    expect(errors.filter((error) => !/40[01]/.test(error))).toEqual([]);
  });

  test("pages of an account redirect to the sign-in and back, but not to a foreign address", async () => {
    const { page } = await open();
    await page.goto(`${api.url}/keys`);
    await page.getByRole("button", { name: "Continue with Discord" }).waitFor();
    await page.getByRole("link", { name: "No account yet? Create one" }).click();
    await page.getByLabel("Name").fill("  \u3164");
    await page.getByLabel("Email address").fill("blank@site.example");
    await page.getByLabel("Password", { exact: true }).fill("a longer password");
    await page.getByRole("button", { name: "Create the account" }).click();
    await page.getByText("Enter a name.").waitFor();
    expect(await page.getByLabel("Name").getAttribute("aria-invalid")).toBe("true");
    await signUp(page, api.url);
    await page.getByRole("heading", { name: "API keys" }).waitFor();
    await page.goto(`${api.url}/sign-in?next=//evil.example/`);
    await page.getByRole("heading", { name: "Which anime is this?" }).waitFor();
    expect(page.url()).toBe(`${api.url}/`);
  });

  test("theme and language are saved", async () => {
    const { page } = await open({ colorScheme: "light" });
    await page.goto(api.url);
    const paper = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const light = await paper();
    await page.getByLabel("Appearance").selectOption("dark");
    expect(await paper()).not.toBe(light);
    await page.getByLabel("Language").selectOption("ja");
    await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe("ja");
    await page.reload();
    await page.locator("h1").waitFor();
    expect(await page.evaluate(() => document.documentElement.lang)).toBe("ja");
    expect(await paper()).not.toBe(light);
  });
});
