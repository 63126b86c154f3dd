import { startApi } from "@koma/testing/start-koma";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { signUp } from "./fixtures/acts.ts";
import { openBrowser, type TestBrowser } from "./fixtures/open-browser.ts";

describe.skipIf(inject("url") === "")("an account", () => {
  let browser: TestBrowser;
  let api: Awaited<ReturnType<typeof startApi>>;
  beforeAll(async () => {
    browser = await openBrowser();
    api = await startApi(inject("dataDir"), {
      STRIPE_SECRET_KEY: "sk_test_1",
      STRIPE_WEBHOOK_SECRET: "whsec_1",
      KOMA_STRIPE_PRODUCTS: "price_a=100,price_b=500",
      DISCORD_CLIENT_ID: "1",
      DISCORD_CLIENT_SECRET: "secret",
    });
  });
  afterAll(async () => {
    await browser.close();
    await api.stop();
  });

  test("a forgotten password is replaced by the link of the mail", async () => {
    const { page, errors } = await browser.open();
    const { email } = await signUp(page, api.url);
    await page.getByRole("button", { name: /^Your account/ }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("link", { name: "Sign in" }).click();
    await page.getByRole("link", { name: "Forgot the password?" }).click();
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
    const { page } = await browser.open();
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

  test("pages of an account redirect to the sign-in and back, but not to a foreign address", async () => {
    const { page } = await browser.open();
    await page.goto(`${api.url}/keys`);
    await page.getByRole("button", { name: "Continue with Discord" }).waitFor();
    await page.getByRole("link", { name: "No account yet? Create one" }).click();
    await signUp(page, api.url);
    await page.getByRole("heading", { name: "API keys" }).waitFor();
    await page.goto(`${api.url}/sign-in?next=//evil.example/`);
    await page.getByRole("heading", { name: "Which anime is this?" }).waitFor();
    expect(page.url()).toBe(`${api.url}/`);
  });

  test("theme and language are saved", async () => {
    const { page } = await browser.open({ colorScheme: "light" });
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
