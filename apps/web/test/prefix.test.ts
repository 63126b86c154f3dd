import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { dropPicture, signUp } from "./fixtures/acts.ts";
import { openBrowser, type TestBrowser } from "./fixtures/open-browser.ts";
import { startApi } from "./fixtures/start-koma.ts";

describe.skipIf(inject("url") === "")("behind a proxy, under a path", () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  test.each([true, false])(
    "search, sign up and account work (path taken off by the proxy: %s)",
    async (strips) => {
      let port = 0;
      const proxy = createServer((incoming, answer) => {
        const path = incoming.url ?? "/";
        const passed = strips ? path.replace(/^\/find(?=\/|$)/, "") || "/" : path;
        const outgoing = request(
          { port, host: "127.0.0.1", path: passed, method: incoming.method, headers: incoming.headers },
          (reply) => {
            answer.writeHead(reply.statusCode ?? 502, reply.headers);
            reply.pipe(answer);
          },
        );
        incoming.pipe(outgoing);
      });
      await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
      const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/find`;
      const api = await startApi(inject("dataDir"), { KOMA_BASE_URL: url });
      port = Number(new URL(api.url).port);
      try {
        const { page, troubles } = await browser.open();
        await page.goto(`${url}/`);
        await page.getByText(/searches left today/).waitFor();
        await dropPicture(page, inject("picture"));
        await page.getByRole("heading", { name: "Found" }).waitFor();
        const still = page.locator(".main-match .moving img");
        await expect
          .poll(() => still.evaluate((image: HTMLImageElement) => image.naturalWidth), { timeout: 15_000 })
          .toBeGreaterThan(0);
        await page.reload();
        await page.getByRole("heading", { name: "Found" }).waitFor();
        await signUp(page, url);
        await page.goto(`${url}/account`);
        await page.getByText("Free today").waitFor();
        expect(troubles).toEqual([]);
      } finally {
        await api.stop();
        proxy.closeAllConnections();
        proxy.close();
      }
    },
  );
});
