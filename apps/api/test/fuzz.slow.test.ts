import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openFakeInternet } from "@koma/image-fetch/testing/fake-internet";
import { findFfmpeg } from "@koma/library";
import { sendRawRequest } from "@koma/testing";
import { type FuzzKind, openFuzzRequests, writeRequest } from "@koma/testing/fuzzing";
import pLimit from "p-limit";
import { afterAll, expect, test } from "vitest";
import { openResponseCheck } from "./fixtures/check-response.ts";
import { nextGuest, openTestLibrary } from "./fixtures/open-test-api.ts";
import { makeBot, signUp } from "./fixtures/test-users.ts";
import { encodeVideo } from "./fixtures/videos.ts";

/** A request depends on this seed, its kind and its number. */
const seed = 11;
/** `KOMA_TEST_FUZZ=100` sends a hundred times as many requests. */
const times = Number(process.env.KOMA_TEST_FUZZ ?? "1");

const library = await openTestLibrary();
const internet = await openFakeInternet({});
const api = await library.openApi({}, { network: internet.network });
const { session } = await signUp(api);
const bot = await makeBot(api);
const requests = await openFuzzRequests({
  seed,
  videos: [await encodeShortVideo()],
  credentials: { session, bot: bot.headers },
});
afterAll(async () => {
  internet?.close();
});

async function encodeShortVideo(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), "koma-fuzz-"));
  try {
    const file = join(folder, "short.mp4");
    const input = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=8"];
    await encodeVideo(await findFfmpeg(), { input, seconds: 1 }, file);
    return await readFile(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test.each<[FuzzKind, number]>([
  ["image", 80],
  ["multipart", 120],
  ["url", 60],
  ["header", 200],
  ["json", 120],
  ["file-name", 60],
  ["video", 3],
])("%s: %i hostile requests get documented responses", { timeout: times * 180_000 }, async (kind, count) => {
  const findUndocumented = await openResponseCheck(api.url);
  const found: unknown[] = [];

  async function check(index: number): Promise<void> {
    const request = requests.create(kind, index);
    try {
      const bytes = writeRequest(request, nextGuest());
      const response = await sendRawRequest(api.url, bytes);
      const differences = findUndocumented(request.method, request.path, response);
      if (response.status === 500) differences.push("internal error");
      if (differences.length > 0) found.push({ index, path: request.path, differences });
    } catch (error) {
      found.push({ index, path: request.path, error });
    }
  }

  const limit = pLimit(4);
  await Promise.all(Array.from({ length: count * times }, (_, index) => limit(check, index)));
  expect(found).toEqual([]);
  expect((await api.call("/healthz")).status).toBe(200);
});
