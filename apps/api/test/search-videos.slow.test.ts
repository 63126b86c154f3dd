import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SearchResult } from "@koma/contract";
import { openFakeInternet, publicAddress } from "@koma/image-fetch/testing/fake-internet";
import { findFfmpeg } from "@koma/library";
import { afterAll, describe, expect, inject, test } from "vitest";
import { nextGuest, openTestLibrary, readImage, type TestClient } from "./fixtures/open-test-api.ts";
import { readQuota } from "./fixtures/test-users.ts";
import { encodeVideo } from "./fixtures/videos.ts";

const queries: Record<string, Buffer> = {};
const folder = await mkdtemp(join(tmpdir(), "koma-queries-"));
const tools = await findFfmpeg();
const alpha = ["-i", join(inject("videoDir"), "Alpha Show", "Alpha Show - 01.mp4")];
const red = ["-f", "lavfi", "-i", "color=red:s=64x64:r=2"];
for (const [name, input, seconds] of [
  ["alpha.mp4", alpha, 3],
  ["long.mp4", red, 62],
] as const) {
  await encodeVideo(tools, { input, seconds }, join(folder, name));
  queries[name] = await readFile(join(folder, name));
}
const library = await openTestLibrary(tools);
const internet = await openFakeInternet({ "videos.example": [publicAddress] });
const api = await library.openApi({}, { network: internet.network, leaseSeconds: 600 });
afterAll(async () => {
  internet.close();
  await rm(folder, { recursive: true, force: true });
});

const playlist = Buffer.from("\0\0\0\x18ftypisom\n#EXTM3U\n#EXTINF:1,\nhttp://127.0.0.1/\n#EXT-X-ENDLIST\n");
const toBlob = (name: string) => new Blob([new Uint8Array(queries[name] ?? [])]);
const countRemaining = async (client: TestClient, from: string) =>
  (await readQuota(client, { "x-forwarded-for": from })).remaining;

function expectAlpha(body: unknown): void {
  const { matches, outcome, queryFrame } = SearchResult.parse(body);
  expect(outcome).toBe("found");
  expect(matches[0]?.anime.title.romaji).toBe("Alpha Show");
  expect(queryFrame?.timestamp).toBeGreaterThan(0);
  expect(queryFrame?.timestamp).toBeLessThan(3);
  // The query is the start of the episode.
  expect(matches[0]?.from).toBeLessThan(3);
}

describe("a video finds its scene", () => {
  test("from a file, for one credit", async () => {
    const from = nextGuest();
    const response = await api.search({ image: toBlob("alpha.mp4") }, { from });
    expect(response.status).toBe(200);
    expectAlpha(response.body);
    expect(await countRemaining(api, from)).toBe(4);
  });

  test("behind an address", async () => {
    const accepted: (string | undefined)[] = [];
    await internet.serve(publicAddress, (request, response) => {
      accepted.push(request.headers.accept);
      response.end(queries["alpha.mp4"]);
    });
    expectAlpha((await api.search({ url: "http://videos.example/clip" })).body);
    expect(accepted).toEqual([expect.stringContaining("video/mp4")]);
  });

  test("in the API of trace.moe", async () => {
    const response = await fetch(`${api.url}/trace.moe/search`, {
      method: "POST",
      body: toBlob("alpha.mp4"),
      headers: { "content-type": "video/mp4", "x-forwarded-for": nextGuest() },
    });
    expect(response.status).toBe(200);
    const { result } = (await response.json()) as { result: { filename: string }[] };
    expect(result[0]?.filename).toBe("Alpha Show - 01.mp4");
  });
});

describe("a video that cannot be searched", () => {
  const cut = (name: string, bytes: number) => queries[name]?.subarray(0, bytes) ?? Buffer.alloc(0);

  test.each<[what: string, status: number, code: string, make: () => Buffer]>([
    ["of 62 seconds", 413, "image_too_large", () => cut("long.mp4", Number.POSITIVE_INFINITY)],
    ["that is truncated", 422, "image_unreadable", () => cut("alpha.mp4", 5000)],
    ["that is a playlist behind the first bytes of an MP4", 422, "image_unreadable", () => playlist],
  ])("%s is %i %s and costs no credit", async (_what, status, code, make) => {
    const from = nextGuest();
    const { body } = await api.search({ image: new Blob([new Uint8Array(make())]) }, { from });
    expect(body).toMatchObject({ status, code });
    expect(await countRemaining(api, from)).toBe(5);
  });
});

describe("a decoder that does not end", async () => {
  const pidFile = join(folder, "pids");
  const ffmpegPath = join(folder, "stuck.sh");
  await writeFile(ffmpegPath, `#!/bin/sh\necho $$ >> '${pidFile}'\nexec /bin/sleep 600\n`);
  await chmod(ffmpegPath, 0o755);
  const stuck = await openTestLibrary({ ...tools, ffmpegPath });
  const client = await stuck.openApi({ KOMA_ENGINE_WORKERS: "1" }, { leaseSeconds: 600 });

  const readPids = async () => {
    const text = await readFile(pidFile, "utf8").catch(() => "");
    return text.split("\n").slice(0, -1).map(Number);
  };
  const isRunning = (pid: number) => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };

  test("ends when its caller disconnects, and blocks neither images nor the videos of others", async () => {
    const image = await readImage("Alpha Show 2.jpg");
    const guests = Array.from({ length: 3 }, () => ({ from: nextGuest(), leaving: new AbortController() }));
    const searches: Promise<unknown>[] = [];
    for (const { from, leaving } of guests) {
      const search = client.search({ image: toBlob("alpha.mp4") }, { from, signal: leaving.signal });
      searches.push(search.catch(() => undefined));
      await expect.poll(() => countRemaining(client, from)).toBe(4);
      await expect.poll(readPids).toHaveLength(1);
    }
    // Two searches run at a time; the waiting videos hold no turn of theirs.
    expect((await client.search({ image })).status).toBe(200);
    for (const [at, { from, leaving }] of guests.entries()) {
      await expect.poll(readPids).toHaveLength(at + 1);
      const pid = (await readPids())[at] ?? 0;
      expect(isRunning(pid)).toBe(true);
      leaving.abort();
      await expect.poll(() => isRunning(pid)).toBe(false);
      await expect.poll(() => countRemaining(client, from)).toBe(5);
    }
    await Promise.all(searches);
  });

  test("that the stop of the service ends is no fault of the file, and costs no credit", async () => {
    const from = nextGuest();
    const before = (await readPids()).length;
    const search = client.search({ image: toBlob("alpha.mp4") }, { from });
    await expect.poll(readPids).toHaveLength(before + 1);
    // As Ctrl+C and systemd, which signal ffmpeg too; the API ends after its open requests.
    process.kill((await readPids())[before] ?? 0, "SIGTERM");
    const { body, headers } = await search;
    expect(body).toMatchObject({
      status: 503,
      code: "not_ready",
      detail: expect.stringContaining("starting again"),
    });
    expect(headers.get("retry-after")).toBe("5");
    expect(await countRemaining(client, from)).toBe(5);
  });
});
