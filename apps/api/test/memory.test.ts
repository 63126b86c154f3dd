import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { drawProgressiveJpeg } from "@koma/image/testing/draw-progressive-jpeg";
import { writeBmp } from "@koma/image/testing/write-bmp";
import { findFfmpeg } from "@koma/library";
import { afterEach, beforeEach, expect, inject, test, vi } from "vitest";
import { createTestClient, nextGuest, readImage, type TestClient } from "./fixtures/open-test-api.ts";
import { measuredFile, startProcess } from "./fixtures/start-process.ts";
import { encodeVideo } from "./fixtures/videos.ts";

// Millions of chunks take a minute on a slow machine.
vi.setConfig({ testTimeout: 300_000 });

/** The memory that an attack may add to the process. Without limits these attacks add at least 0.6 GB. */
const allowedBytes = 300_000_000;

let api: ReturnType<typeof startProcess>;
let url: string;
let client: TestClient;
let idleBytes: number;
beforeEach(async () => {
  api = startProcess(measuredFile, {
    KOMA_DATA_DIR: inject("dataDir"),
    KOMA_TRUSTED_PROXIES: "127.0.0.1",
    KOMA_GUEST_SEARCHES_PER_DAY: "1000",
  });
  url = await api.ready;
  client = createTestClient(url);
  await client.search({ image: await readImage("Alpha Show 2.jpg") });
  idleBytes = (await measure()).rssBytes;
});
afterEach(async () => {
  api.child.kill("SIGKILL");
  await api.ended;
});

async function measure(): Promise<{ rssBytes: number; peakBytes: number }> {
  const response = once(api.child, "message");
  api.child.send("measure");
  const [memory] = await response;
  return memory;
}

async function growthBytes(): Promise<number> {
  return (await measure()).peakBytes - idleBytes;
}

test("rejects progressive JPEGs of 50 megapixels before they are decoded", async () => {
  const image = new Blob([new Uint8Array(drawProgressiveJpeg(8000, 6250, 100))]);
  expect(image.size).toBeLessThan(310_000);
  for (let upload = 0; upload < 5; upload++) {
    const { body } = await client.search({ image });
    expect(body).toMatchObject({ status: 413, code: "image_too_large" });
  }
  expect(await growthBytes()).toBeLessThan(allowedBytes);
});

test("releases the memory of progressive JPEGs that it decodes", async () => {
  for (let upload = 0; upload < 10; upload++) {
    const image = new Blob([new Uint8Array(drawProgressiveJpeg(4700, 4700 + upload, 12))]);
    expect((await client.search({ image })).status).toBe(200);
  }
  expect(await growthBytes()).toBeLessThan(allowedBytes);
});

test("releases the memory of the largest BMPs", async () => {
  // One bit per pixel: 42 megapixels in 5.3 MB.
  const side = 6500;
  const rowBytes = Math.ceil(side / 32) * 4;
  const header = writeBmp(1, 1, () => ({ r: 0, g: 0, b: 0 }), { bits: 8 }).subarray(0, 1078);
  header.writeInt32LE(side, 18);
  header.writeInt32LE(side, 22);
  header.writeUInt16LE(1, 28);
  const image = new Blob([new Uint8Array(header), new Uint8Array(rowBytes * side)]);
  for (let upload = 0; upload < 5; upload++) expect((await client.search({ image })).status).toBe(200);
  expect(await growthBytes()).toBeLessThan(allowedBytes);
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
    for (let upload = 0; upload < 4; upload++) {
      const { body } = await client.search({ image: largest });
      if (tools.isBundled) expect(body).toMatchObject({ code: "unsupported_image_type" });
      else expect(body).toMatchObject({ queryFrame: {} });
    }
    const { body } = await client.search({ image: tooLarge });
    expect(body).toMatchObject({ code: tools.isBundled ? "unsupported_image_type" : "image_unreadable" });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  expect(await growthBytes()).toBeLessThan(allowedBytes);
});

test.each([
  ["an image", "/api/anime/search", 'content-disposition: form-data; name="image"', "image_unreadable"],
  ["a form field", "/api/anime/search", 'content-disposition: form-data; name="animeId"', "invalid_request"],
])("stores %s in 1-byte chunks in its own size", async (_what, path, head, code) => {
  const responses = await Promise.all(
    Array.from({ length: 4 }, () =>
      sendInBytes(path, "multipart/form-data; boundary=b", [
        Buffer.from(`--b\r\n${head}\r\n\r\n\xff\xd8\xff`, "latin1"),
        Buffer.alloc(500_000, "x"),
        Buffer.from("\r\n--b--\r\n"),
      ]),
    ),
  );
  for (const response of responses) expect(response).toContain(`"code":"${code}"`);
  expect(await growthBytes()).toBeLessThan(allowedBytes);
});

test.each([
  ["/api/webhooks/stripe", "application/json", 500_000],
  ["/api/auth/sign-in/email", "application/json", 60_000],
])("stores the body of %s in 1-byte chunks in its own size", async (path, contentType, bytes) => {
  const responses = await Promise.all(
    Array.from({ length: Math.ceil(2_000_000 / bytes) }, () =>
      sendInBytes(path, contentType, [Buffer.alloc(bytes, "x")]),
    ),
  );
  for (const response of responses) expect(response).toMatch(/^HTTP\/1\.1 4\d\d /);
  expect(await growthBytes()).toBeLessThan(allowedBytes);
});

/** Sends a body in chunks of one byte, and returns the complete response. */
async function sendInBytes(path: string, contentType: string, parts: Buffer[]): Promise<string> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  const response = text(socket);
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${nextGuest()}\r\nconnection: close\r\n` +
      `content-type: ${contentType}\r\ntransfer-encoding: chunked\r\n\r\n`,
  );
  const body = Buffer.concat(parts);
  const frames = Buffer.alloc(body.length * 6, "1\r\n?\r\n");
  for (const [at, byte] of body.entries()) frames[at * 6 + 3] = byte;
  socket.write(frames);
  socket.write("0\r\n\r\n");
  return await response;
}
