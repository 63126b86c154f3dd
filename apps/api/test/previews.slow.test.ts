import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { promisify } from "node:util";
import { type PreviewPaths, SearchResult } from "@koma/contract";
import { findFfmpeg } from "@koma/library";
import { expect, test } from "vitest";
import { expectProblem } from "./fixtures/expect-problem.ts";
import { nextGuest, openTestLibrary, readImage } from "./fixtures/open-test-api.ts";
import { makeBot } from "./fixtures/test-users.ts";
import { compareImages } from "./fixtures/videos.ts";

const run = promisify(execFile);

/** The paths of an episode with a video. */
type AllPaths = { [Kind in keyof PreviewPaths]: NonNullable<PreviewPaths[Kind]> };

let now = new Date();
const tools = await findFfmpeg();
const library = await openTestLibrary();
const api = await library.openApi({}, { now: () => now });
const response = await api.search({ image: await readImage("Alpha Show 6.jpg") });
const [match] = SearchResult.parse(response.body).matches;
if (match?.imageUrl == null || match.videoUrl === null) throw new Error("no previews");
const imagePath = match.imageUrl.replace(api.url, "");
const videoPath = match.videoUrl.replace(api.url, "");

/** What ffprobe finds in a clip. */
async function probe(bytes: Buffer) {
  const folder = await mkdtemp(join(tmpdir(), "koma-preview-"));
  const file = join(folder, "clip.mp4");
  try {
    await writeFile(file, bytes);
    const entries = ["-show_entries", "format=duration:stream=codec_type,height"];
    const { stdout } = await run(tools.ffprobePath, ["-v", "error", ...entries, "-of", "json", file]);
    return JSON.parse(stdout) as {
      format: { duration: string };
      streams: { codec_type: string; height?: number }[];
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

test("the still of a match shows the searched frame", async () => {
  expect(match.imageUrl).toMatch(new RegExp(`^${api.url}/previews/still/[^?]+\\.jpg$`));
  const response = await api.call(imagePath);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("image/jpeg");
  expect(response.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
  const searched = await (await readImage("Alpha Show 6.jpg")).bytes();
  expect(await compareImages(response.bytes, searched)).toBeLessThan(12);
});

test("a clip shows the scene, in all sizes, with and without sound", async () => {
  const clip = await api.call(videoPath);
  expect(clip.headers.get("content-type")).toBe("video/mp4");
  const probed = await probe(clip.bytes);
  expect(Math.abs(Number(probed.format.duration) - (match.to - match.from))).toBeLessThan(0.5);
  expect(probed.streams.map((stream) => stream.codec_type).toSorted()).toEqual(["audio", "video"]);
  const { stills, clips, mutedClips } = match.previewPaths as AllPaths;
  for (const size of ["s", "m", "l"] as const) {
    const appended = [
      `${imagePath}?size=${size}`,
      `${videoPath}?size=${size}`,
      `${videoPath}?size=${size}&mute`,
    ];
    for (const path of [
      ...appended.map((one) => `${one}&unknown=1`),
      stills[size],
      clips[size],
      mutedClips[size],
    ])
      expect((await api.call(path)).status, path).toBe(200);
  }
  for (const path of [mutedClips.s, `${videoPath}?mute&size=s`]) {
    const muted = await probe((await api.call(path)).bytes);
    expect(muted.streams).toMatchObject([{ codec_type: "video", height: 180 }]);
  }
});

test("a clip is served in byte ranges, and an unchanged one not again", async () => {
  const { bytes: whole, headers } = await api.call(videoPath);
  const again = await api.call(videoPath, { headers: { "if-none-match": headers.get("etag") ?? "" } });
  expect([again.status, again.bytes.length]).toEqual([304, 0]);
  const part = async (range: string) => await api.call(videoPath, { headers: { range } });
  const first = await part("bytes=0-99");
  expect(first.status).toBe(206);
  expect(first.headers.get("content-range")).toBe(`bytes 0-99/${whole.length}`);
  expect(first.bytes.equals(whole.subarray(0, 100))).toBe(true);
  expect((await part("bytes=100-")).bytes.equals(whole.subarray(100))).toBe(true);
  expect((await part("bytes=-50")).bytes.equals(whole.subarray(-50))).toBe(true);
  expect((await part(`bytes=10-${whole.length * 2}`)).bytes.equals(whole.subarray(10))).toBe(true);
  expect((await part("bytes=5-2")).status).toBe(200);
  expect((await part("lines=1-2")).status).toBe(200);
  const outside = await part(`bytes=${whole.length}-`);
  expectProblem(outside, "range_not_satisfiable");
  expect(outside.headers.get("content-range")).toBe(`bytes */${whole.length}`);
  const head = await fetch(api.url + videoPath, { method: "HEAD" });
  expect(head.headers.get("content-length")).toBe(String(whole.length));
});

test("one network has a limited number of turns, and chat users of one bot have separate turns", async () => {
  let running = 0;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const original = library.library.openPreviews({});
  const previews = {
    ...original,
    async still(...args: Parameters<typeof original.still>) {
      running += 1;
      await released;
      return await original.still(...args);
    },
  };
  const busy = await library.openApi({ KOMA_PREVIEWS_PER_NETWORK: "1" }, { now: () => now, previews });
  const bot = await makeBot(busy);
  const network = { "x-forwarded-for": nextGuest() };
  let refused = 0;
  const get = async (path: string, headers: Record<string, string>) => {
    const response = await fetch(`${busy.url}${path}`, { headers });
    await response.arrayBuffer();
    if (response.status !== 200) refused += 1;
    return response.status;
  };
  // One request runs, 40 wait, and four are rejected.
  const flood = Array.from({ length: 45 }, () => get(imagePath, network));
  await expect.poll(() => [running, refused]).toEqual([1, 4]);
  expect(await get(`/trace.moe${imagePath}`, network)).toBe(503);
  const others = [
    get(imagePath, { "x-forwarded-for": nextGuest() }),
    get(imagePath, { ...network, ...bot.headers, "x-koma-chat-user": "discord:1" }),
    ...Array.from({ length: 5 }, () => get(imagePath, { ...network, ...bot.headers })),
  ];
  await expect.poll(() => running).toBe(8);
  release();
  expect(await Promise.all(others)).toEqual(others.map(() => 200));
  expect((await Promise.all(flood)).filter((status) => status === 200)).toHaveLength(41);
  await original.close();
});

test("rejects a modified address", async () => {
  const parts = imagePath.split("/");
  const changed = [
    [...parts.slice(0, 6), "1000.jpg"].join("/"),
    imagePath.replace(parts[3] ?? "", "another"),
    imagePath.replace(parts[4] ?? "", "99999999999"),
    imagePath.replace(parts[5] ?? "", "x".repeat(24)),
    imagePath.replace(parts[5] ?? "", "x"),
    imagePath.replace("/still/", "/clip/").replace(/\d+\.jpg$/, "0-1000.mp4"),
  ];
  for (const path of changed) expectProblem(await api.call(path), "forbidden");
  expectProblem(await api.call(`${imagePath}?size=xl`), "invalid_request");
  expect((await api.call(imagePath.replace(".jpg", ".exe"))).status).toBe(400);
  const otherSecret = await library.openApi({}, { secret: "another secret" });
  expect((await otherSecret.call(imagePath)).status).toBe(403);
});

test("a signature is valid in one spelling only", async () => {
  const signature = imagePath.split("/")[5] ?? "";
  expect(signature).toMatch(/^[\w-]{24}$/);
  const last = signature.at(-1) ?? "";
  const changeCase = (text: string) =>
    text.replace(/[a-z]/i, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    );
  const spellings = [
    changeCase(signature),
    // A different last character, of which lenient decoders ignore bits.
    signature.slice(0, -1) +
      String.fromCharCode(last.charCodeAt(0) + (last === "z" || last === "Z" ? -1 : 1)),
    signature.slice(0, -1),
    `${signature}A`,
    `${signature}=`,
    `${signature}%20`,
    // Base64 instead of base64url, and a character outside of ASCII.
    `${signature.slice(0, -1)}%2B`,
    `${signature.slice(0, -1)}%C3%BC`,
  ];
  for (const spelling of spellings) {
    const { body } = await api.call(imagePath.replace(signature, spelling));
    expect(body, spelling).toMatchObject({ status: 403, code: "forbidden" });
  }
});

test("the signature of a preview path covers its size and its sound", async () => {
  const { stills, clips, mutedClips } = match.previewPaths as AllPaths;
  const changed = [
    stills.s.replace("size=s", "size=l"),
    stills.s.replace("?size=s", ""),
    clips.s.replace("size=s", "size=m"),
    `${clips.s}&mute=true`,
    `${clips.s}&mute`,
    mutedClips.s.replace("size=s", "size=l"),
    mutedClips.s.replace("&mute=true", ""),
  ];
  for (const path of changed) {
    expect((await api.call(path)).body, path).toMatchObject({ status: 403, code: "forbidden" });
    expect((await fetch(`${api.url}/trace.moe${path}`)).status, path).toBe(403);
  }
  const audible = mutedClips.s.replace("mute=true", "mute=false");
  expectProblem(await api.call(audible), "forbidden");
  for (const path of [`${stills.s}&size=s`, `${stills.s}&size=l`, `${mutedClips.s}&mute=true`]) {
    expect((await api.call(path)).body, path).toMatchObject({ status: 400, code: "invalid_request" });
  }
});

test("an address expires after a day", async () => {
  const issued = now;
  now = new Date(issued.getTime() + 23.9 * 3_600_000);
  expect((await api.call(imagePath)).status).toBe(200);
  now = new Date(issued.getTime() + 25.1 * 3_600_000);
  expectProblem(await api.call(imagePath), "forbidden", { detail: expect.stringContaining("expired") });
  now = issued;
});

test("a request leaves one line in the log, without a signature", async () => {
  let log = "";
  const stream = new Writable({
    write(chunk, _encoding, done) {
      log += chunk;
      done();
    },
  });
  const quiet = await library.openApi({}, { logger: { level: "info", stream } });
  const secret = imagePath.split("/")[5] ?? "";
  const etag = (await quiet.call(imagePath)).headers.get("etag") ?? "";
  await quiet.call(imagePath, { headers: { "if-none-match": etag } });
  await quiet.call(videoPath);
  await quiet.call(videoPath, { headers: { range: "bytes=0-9" } });
  for (const path of [imagePath, videoPath]) await fetch(quiet.url + path, { method: "HEAD" });
  await quiet.call(`${imagePath}/more?confirmToken=a-token-of-a-search`);
  await quiet.call(`/elsewhere${imagePath}`);
  quiet.app.log.warn({
    err: new Error(`sent already: ${quiet.url}${imagePath}?confirmToken=a-token-of-a-search`),
  });
  const lines = () =>
    log
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).msg.replace(/ \d+ ms$/, "") as string)
      .filter((msg) => !/^Server listening|openapi|web page/.test(msg));
  await expect.poll(lines).toHaveLength(9);
  const route = (kind: string) => `/previews/${kind}/:episodeId/:expires/:signature/:cut`;
  expect(lines().slice(0, -1)).toEqual([
    ...[`GET ${route("still")} 200`, `GET ${route("still")} 304`],
    ...[`GET ${route("clip")} 200`, `GET ${route("clip")} 206`],
    ...[`HEAD ${route("still")} 200`, `HEAD ${route("clip")} 200`],
    ...["GET /previews… 404", "GET /elsewhere… 404"],
  ]);
  expect(secret.length).toBeGreaterThan(8);
  expect(log).not.toContain(secret);
  expect(log).not.toContain("a-token-of-a-search");
});
