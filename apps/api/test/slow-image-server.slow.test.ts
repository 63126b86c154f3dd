import { openFakeInternet, publicAddress } from "@koma/image-fetch/testing/fake-internet";
import { afterAll, expect, test } from "vitest";
import { openTestLibrary } from "./fixtures/open-test-api.ts";

const library = await openTestLibrary();
const internet = await openFakeInternet({ "slow.example": [publicAddress] });
await internet.serveRaw(publicAddress, (socket) => {
  socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n");
  const timer = setInterval(() => socket.write("x"), 200);
  socket.on("close", () => clearInterval(timer));
});
afterAll(async () => {
  internet.close();
  await library.close();
});

test("a search abandons a server that sends its image slowly after ten seconds", async () => {
  const api = await library.openApi({}, { network: internet.network });
  const startedMs = performance.now();
  const { body } = await api.search({ url: "http://slow.example/" });
  expect(body).toMatchObject({ code: "url_fetch_failed" });
  const tookMs = performance.now() - startedMs;
  expect(tookMs).toBeGreaterThan(9000);
  expect(tookMs).toBeLessThan(20_000);
});
