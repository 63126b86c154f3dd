// Measures the time of a first search with 40 ms of round-trip time and 10 Mbit/s, as set in a real Chromium
// over CDP.
//   npm run measure -w @koma/web -- http://127.0.0.1:3000 image.jpg [--check]
// The image is sent unchanged. For the time of a first still, the server's cache of previews must be empty.
// `--check` exits with 1 if a median of the rounds exceeds its limit.
import { readFile } from "node:fs/promises";
import { chromium } from "playwright-core";

const [url, image] = process.argv.slice(2).filter((word) => !word.startsWith("--"));
if (url === undefined || image === undefined) {
  console.error("Usage: measure.mjs ADDRESS PICTURE [--check]");
  process.exit(2);
}
const isChecked = process.argv.includes("--check");
const rounds = 5;
const network = { offline: false, latency: 40, downloadThroughput: 10e6 / 8, uploadThroughput: 10e6 / 8 };

const bytes = await readFile(image);
const browser = await chromium.launch({
  executablePath: process.env.KOMA_TEST_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
const usable = [];
const painted = [];
const finished = [];
const stills = [];
for (let round = 0; round < rounds; round++) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", network);
  await page.goto(url, { waitUntil: "commit" });
  // Usable: the frame is visible and accepts images.
  await page.locator(".frame-button").waitFor();
  usable.push(await page.evaluate(() => performance.now()));
  await page.waitForLoadState("networkidle");
  painted.push(await page.evaluate(readLargestPaint));
  const { resultMs, stillMs } = await page.evaluate(dropAndWait, bytes.toString("base64"));
  finished.push(resultMs);
  stills.push(stillMs);
  await context.close();
}
await browser.close();

console.log(
  `image of ${Math.round(bytes.length / 1000)} kB, 40 ms of round trip, 10 Mbit/s, ${rounds} rounds`,
);
const isFast = [
  show("usable", usable, 1000),
  show("largest contentful paint", painted, 900),
  show("drop to result", finished, 1500),
  show("search response to first still", stills, 300),
].every(Boolean);
if (isChecked && !isFast) process.exit(1);

function show(name, times, limitMs) {
  const sorted = times.map(Math.round).toSorted((one, other) => one - other);
  const median = sorted[Math.floor(sorted.length / 2)];
  console.log(`${name}: median ${median} ms (${sorted.join(", ")}), limit ${limitMs} ms`);
  return median < limitMs;
}

async function readLargestPaint() {
  return await new Promise((resolve) => {
    const options = { type: "largest-contentful-paint", buffered: true };
    new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime)).observe(options);
  });
}

/** Drops an image. The times until the result, and from the search response to the first painted still. */
async function dropAndWait(text) {
  const data = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const transfer = new DataTransfer();
  transfer.items.add(new File([data], "picture.jpg", { type: "image/jpeg" }));
  const start = performance.now();
  const seen = (selector, isReady = () => true) =>
    new Promise((resolve) => {
      const check = () => {
        const element = document.querySelector(selector);
        if (element === null || !isReady(element)) requestAnimationFrame(check);
        // The frame of the next callback shows what this one found.
        else requestAnimationFrame(() => resolve(performance.now()));
      };
      check();
    });
  document
    .querySelector("main")
    .dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
  const resultAt = await seen(".problem, .result");
  const stillAt = await seen(".main-match .moving img", (image) => image.complete && image.naturalWidth > 0);
  const [request] = performance
    .getEntriesByType("resource")
    .filter(({ name }) => /anime\/search$/.test(name));
  return { resultMs: resultAt - start, stillMs: stillAt - request.responseEnd };
}
