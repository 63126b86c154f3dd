import { startApi } from "@koma/testing/start-koma";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { searchFrame, signUp } from "./fixtures/acts.ts";
import { open } from "./fixtures/open-browser.ts";
import { openProxy } from "./fixtures/open-proxy.ts";
import { cheapPasswords } from "./fixtures/prepare.ts";

describe.skipIf(inject("url") === "")("behind a proxy, under a path", () => {
  let proxy: Awaited<ReturnType<typeof openProxy>>;
  let api: Awaited<ReturnType<typeof startApi>>;
  let stripsPath = true;
  beforeAll(async () => {
    proxy = await openProxy({
      getPort: () => Number(new URL(api.url).port),
      toPath: (path) => (stripsPath ? path.replace(/^\/find(?=\/|$)/, "") || "/" : path),
    });
    const settings = { KOMA_BASE_URL: `${proxy.url}/find` };
    api = await startApi(inject("dataDir"), settings, cheapPasswords);
  });
  afterAll(async () => {
    await api.stop();
    proxy.close();
  });

  test.each([true, false])(
    "search, sign-up and account work (path removed by the proxy: %s)",
    async (strips) => {
      stripsPath = strips;
      const url = `${proxy.url}/find`;
      const { page, errors } = await open();
      await page.goto(`${url}/`);
      await page.getByText(/searches left today/).waitFor();
      await searchFrame(page);
      const still = page.locator(".main-match .moving img");
      await expect
        .poll(() => still.evaluate((image: HTMLImageElement) => image.naturalWidth))
        .toBeGreaterThan(0);
      await page.reload();
      await page.getByText("Found", { exact: true }).waitFor();
      await signUp(page, url);
      await page.goto(`${url}/account`);
      await page.getByText("Free today").waitFor();
      expect(errors).toEqual([]);
    },
  );
});
