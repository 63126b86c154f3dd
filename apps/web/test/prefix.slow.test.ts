import { startApi } from "@koma/testing/start-koma";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { dropImage, signUp } from "./fixtures/acts.ts";
import { openBrowser, type TestBrowser } from "./fixtures/open-browser.ts";
import { openProxy } from "./fixtures/open-proxy.ts";

describe.skipIf(inject("url") === "")("behind a proxy, under a path", () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  test.each([true, false])(
    "search, sign-up and account work (path removed by the proxy: %s)",
    async (strips) => {
      let port = 0;
      const proxy = await openProxy({
        getPort: () => port,
        toPath: (path) => (strips ? path.replace(/^\/find(?=\/|$)/, "") || "/" : path),
      });
      const url = `${proxy.url}/find`;
      const api = await startApi(inject("dataDir"), { KOMA_BASE_URL: url });
      port = Number(new URL(api.url).port);
      try {
        const { page, errors } = await browser.open();
        await page.goto(`${url}/`);
        await page.getByText(/searches left today/).waitFor();
        await dropImage(page, inject("image"));
        await page.getByText("Found", { exact: true }).waitFor();
        const still = page.locator(".main-match .moving img");
        await expect
          .poll(() => still.evaluate((image: HTMLImageElement) => image.naturalWidth), { timeout: 15_000 })
          .toBeGreaterThan(0);
        await page.reload();
        await page.getByText("Found", { exact: true }).waitFor();
        await signUp(page, url);
        await page.goto(`${url}/account`);
        await page.getByText("Free today").waitFor();
        expect(errors).toEqual([]);
      } finally {
        await api.stop();
        proxy.close();
      }
    },
  );
});
