import { findChromium } from "@koma/testing";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from "vitest";
import { type Extension, openExtension } from "./fixtures/open-extension.ts";

describe.skipIf(findChromium({ withExtensions: true }) === undefined)("the options page", () => {
  let extension: Extension;
  let page: Page;
  beforeAll(async () => {
    extension = await openExtension();
    // The installation opens the page.
    await vi.waitFor(() => expect(findOptionsPage()).toBeDefined(), { timeout: 30_000 });
    page = findOptionsPage() as Page;
  });
  afterAll(() => extension.close());
  beforeEach(async () => {
    await extension.forgetServer();
    await page.goto(`chrome-extension://${extension.id}/options.html`);
  });

  const findOptionsPage = () =>
    extension.context.pages().find((other) => other.url().endsWith("/options.html"));
  const address = () => page.getByLabel("Address of your Koma server");
  const key = () => page.getByLabel("API key (optional)");
  const save = () => page.getByRole("button", { name: "Save" }).click();
  const status = (text: string | RegExp) => page.getByRole("status").getByText(text).waitFor();
  const readSettings = () => extension.worker.evaluate(() => chrome.storage.local.get("settings"));

  test("saves a server as a user types it, tests it, and keeps it", async () => {
    await address().fill(inject("api").replace("http://", " ").concat("/ "));
    await save();
    await status(/^Connected\. Frames in the library: \d+$/);
    await status(/^You search as a guest\. Searches left: /);
    expect(await readSettings()).toEqual({ settings: { address: inject("api") } });
    await page.reload();
    await status(/^Connected/);
    await page.getByRole("button", { name: "Test connection" }).click();
    await status(/^Connected/);
  });

  test("with a key: shows its remaining searches, and keeps it hidden, local and limited to one server", async () => {
    await address().fill(inject("api"));
    await key().fill(inject("apiKey"));
    expect(await key().getAttribute("type")).toBe("password");
    await save();
    await status(/^The key works\. Searches left: \d$/);
    expect(await readSettings()).toEqual({ settings: { address: inject("api"), apiKey: inject("apiKey") } });
    expect(await extension.worker.evaluate(() => chrome.storage.sync.get(null))).toEqual({});
    await address().fill("http://127.0.0.1:9");
    await save();
    await status("The key belonged to the previous server, so it was removed.");
    await status("The server cannot be reached");
    expect(await readSettings()).toEqual({ settings: { address: "http://127.0.0.1:9" } });
  });

  test("reports a wrong key", async () => {
    await address().fill(inject("api"));
    await key().fill(`koma_${"x".repeat(52)}`);
    await save();
    await status("This key doesn't work");
  });

  test.each(["ftp://koma.example", "https://", "https://user:secret@koma.example", "two words"])(
    "rejects the address %j",
    async (typed) => {
      await address().fill(typed);
      await page.getByText("Enter an address such as").waitFor();
      await save();
      expect(await readSettings()).toEqual({});
    },
  );

  test("warns that others can read a connection without https", async () => {
    await address().fill("http://koma.example");
    await page.getByText("This connection is not encrypted").waitFor();
    await address().fill("localhost:3000");
    expect(await page.getByText("This connection is not encrypted").count()).toBe(0);
  });

  test.each(["light", "dark"] as const)("in %s it has no accessibility violations", async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    await address().fill(inject("api"));
    await save();
    await status(/^Connected/);
    await page.evaluate(axe.source);
    const violations = await page.evaluate(async () => (await window.axe.run(document)).violations);
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  });
});
