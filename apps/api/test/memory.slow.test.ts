import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sharp } from "@koma/image";
import { drawProgressiveJpeg } from "@koma/image/testing/draw-progressive-jpeg";
import { findFfmpeg } from "@koma/library";
import { afterEach, beforeEach, expect, inject, test, vi } from "vitest";
import { drawLargestBmp, sendInChunks } from "./fixtures/hostile-uploads.ts";
import { createTestClient, readImage, type TestClient } from "./fixtures/open-test-api.ts";
import { killProcesses, measuredFile, measureMemory, startProcess } from "./fixtures/start-process.ts";
import { encodeVideo } from "./fixtures/videos.ts";

vi.setConfig({ testTimeout: 300_000 });

/** The memory that an attack may add to the process. Without limits these attacks add at least 0.6 GB. */
const allowedBytes = 300_000_000;

let api: ReturnType<typeof startProcess>;
let url: string;
let client: TestClient;
let idleBytes: number;
// Each test has a process of its own: the largest memory counts, and what one test leaves would hide or add to it.
beforeEach(async () => {
  api = startProcess(measuredFile, {
    KOMA_DATA_DIR: inject("dataDir"),
    KOMA_TRUSTED_PROXIES: "127.0.0.1",
    KOMA_GUEST_SEARCHES_PER_DAY: "1000",
  });
  url = await api.ready;
  client = createTestClient(url);
  await client.search({ image: await readImage("Alpha Show 2.jpg") });
  idleBytes = (await measureMemory(api)).rssBytes;
});
afterEach(killProcesses);

const growthBytes = async () => (await measureMemory(api)).peakBytes - idleBytes;

test("rejects a body in 1-byte chunks before it is complete, and accepts an image in chunks of 200 bytes", async () => {
  const multipart = "multipart/form-data; boundary=b";
  for (const [path, contentType, head] of [
    ["/api/anime/search", multipart, 'content-disposition: form-data; name="image"'],
    ["/api/anime/search", multipart, 'content-disposition: form-data; name="animeId"'],
    ["/trace.moe/search", "image/jpeg", ""],
    ["/api/auth/sign-in/email", "application/json", ""],
  ] as const) {
    const body = Buffer.concat([Buffer.from(`--b\r\n${head}\r\n\r\n`), Buffer.alloc(500_000, "x")]);
    const response = await sendInChunks(url, 1, path, contentType, body);
    expect([path, response]).toEqual([path, expect.stringMatching(/^HTTP\/1\.1 400 /)]);
    expect(response).toContain("chunks of fewer than 128 bytes");
  }
  expect(await growthBytes()).toBeLessThan(allowedBytes);

  const form = new FormData();
  form.append("image", await readImage("Alpha Show 2.jpg"));
  const request = new Response(form);
  const preamble = Buffer.alloc(300_000, "x");
  const body = Buffer.concat([preamble, Buffer.from("\r\n"), Buffer.from(await request.arrayBuffer())]);
  const contentType = request.headers.get("content-type") ?? "";
  expect(await sendInChunks(url, 200, "/api/anime/search", contentType, body)).toMatch(/^HTTP\/1\.1 200 /);
});

test("releases the memory of videos of 4096 x 2304 pixels and rejects larger ones", async () => {
  const tools = await findFfmpeg();
  const folder = await mkdtemp(join(tmpdir(), "koma-memory-"));
  const draw = async (size: string) => {
    const file = join(folder, `${size}.mp4`);
    await encodeVideo(tools, { input: ["-f", "lavfi", "-i", `testsrc2=s=${size}:r=1`], seconds: 2 }, file);
    return new Blob([new Uint8Array(await readFile(file))]);
  };
  try {
    const [largest, tooLarge] = [await draw("4096x2304"), await draw("4112x2304")];
    for (let upload = 0; upload < 2; upload++) {
      const startedAtMs = performance.now();
      const { status, body } = await client.search({ image: largest });
      // On a busy machine the search ends at its time limit, which must release the memory as well.
      const isLate = performance.now() - startedAtMs > 19_000;
      if (isLate && status === 422) expect(body).toMatchObject({ code: "image_unreadable" });
      else expect(body).toMatchObject({ queryFrame: {} });
    }
    const { body } = await client.search({ image: tooLarge });
    expect(body).toMatchObject({ code: "image_unreadable" });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  expect(await growthBytes()).toBeLessThan(allowedBytes);
});

test("rejects progressive JPEGs of 50 megapixels, and releases the memory of what it decodes", async () => {
  const tooLarge = new Blob([new Uint8Array(drawProgressiveJpeg(8000, 6250, 100))]);
  expect(tooLarge.size).toBeLessThan(310_000);
  const { body } = await client.search({ image: tooLarge });
  expect(body).toMatchObject({ status: 413, code: "image_too_large" });
  for (let upload = 0; upload < 3; upload++) {
    const progressive = new Blob([new Uint8Array(drawProgressiveJpeg(4700, 4700 + upload, 12))]);
    expect((await client.search({ image: progressive })).status).toBe(200);
  }
  const largest = new Blob([drawLargestBmp()]);
  for (let upload = 0; upload < 2; upload++)
    expect((await client.search({ image: largest })).status).toBe(200);
  expect(await growthBytes()).toBeLessThan(allowedBytes);
});

test("decodes the largest AVIF images one at a time", async () => {
  const drawn = sharp({ create: { width: 5120, height: 2880, channels: 3, background: "#357" } });
  const image = new Blob([new Uint8Array(await drawn.avif({ effort: 0 }).toBuffer())]);
  const search = async () => {
    const startedAtMs = performance.now();
    const { status } = await client.search({ image });
    // On a busy machine the decoder reaches its limit of ten seconds, and a search that waits for others its own.
    const isLate = performance.now() - startedAtMs > 10_000;
    expect(isLate ? [200, 422, 503] : [200]).toContain(status);
  };
  await Promise.all([search(), search(), search()]);
  // One decoder holds 233 MB, two hold 466 MB.
  expect(await growthBytes()).toBeLessThan(400_000_000);
});
