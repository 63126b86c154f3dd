import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { openTestLibrary } from "./fixtures/open-test-api.ts";

const library = await openTestLibrary();
const api = await library.openApi();

test("a refused upload that goes on arriving keeps its connection for more than five seconds", async () => {
  let sent = await sendSlowly();
  // A busy machine may send nothing for as long as the API waits.
  while (sent.longestPauseMs > 4000) sent = await sendSlowly();
  expect(sent.response).toMatch(/^HTTP\/1\.1 415 /);
  expect(sent.isOpen).toBe(true);
});

/** Announces 8 MB of a type that the API refuses, and sends some of it for seven seconds. */
async function sendSlowly(): Promise<{ response: string; isOpen: boolean; longestPauseMs: number }> {
  const socket = connect(Number(new URL(api.url).port), "127.0.0.1");
  let response = "";
  let isOpen = true;
  socket.setEncoding("latin1").on("data", (text: string) => {
    response += text;
  });
  for (const event of ["end", "close", "error"]) {
    socket.on(event, () => {
      isOpen = false;
    });
  }
  socket.write(
    "POST /api/anime/search HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\ncontent-length: 8000000\r\n\r\n",
  );
  const startedAtMs = performance.now();
  let sentAtMs = startedAtMs;
  let longestPauseMs = 0;
  while (sentAtMs - startedAtMs < 7000) {
    socket.write(Buffer.alloc(10_000));
    await wait(500);
    longestPauseMs = Math.max(longestPauseMs, performance.now() - sentAtMs);
    sentAtMs = performance.now();
  }
  socket.destroy();
  return { response, isOpen, longestPauseMs };
}
