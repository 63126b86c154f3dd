import { createRequire } from "node:module";
import { sharp } from "@koma/image";
import { openFakeInternet, publicAddress } from "@koma/image-fetch/testing/fake-internet";
import { afterAll, describe, expect, test } from "vitest";
import type { z } from "zod";
import { TraceMoeSearch } from "../src/docs/trace-moe-paths.ts";
import { toTraceMoeSimilarity } from "../src/trace-moe/present-search.ts";
import { expectProblem } from "./fixtures/expect-problem.ts";
import { openFake } from "./fixtures/fake-library.ts";
import { nextGuest, openTestLibrary, readImage, type TestApi } from "./fixtures/open-test-api.ts";
import { sendHead } from "./fixtures/send-head.ts";
import { changeAnime } from "./fixtures/test-anime.ts";
import { makeKey, signUp } from "./fixtures/test-users.ts";

const require = createRequire(import.meta.url);
const anilistId = 987_654;

const library = await openTestLibrary();
const image = await readImage("Alpha Show 2.jpg");
const bytes = Buffer.from(await image.arrayBuffer());
const internet = await openFakeInternet({ "images.example": [publicAddress] });
await internet.serve(publicAddress, (request, response) => {
  if (request.url?.startsWith("/alpha.jpg")) response.writeHead(200).end(bytes);
  else response.writeHead(404).end();
});
const api = await library.openApi(
  { KOMA_TRACE_MOE_HOST: "trace.koma.example", KOMA_GUEST_SEARCHES_PER_DAY: "1000" },
  { network: internet.network },
);
const [found] = await library.database.anime.search({ query: "Alpha Show", limit: 1 });
const [alpha] = await library.database.anime.findMany([found?.id ?? ""]);
if (alpha === undefined) throw new Error("The library has no Alpha Show.");
await changeAnime(library.database.anime, alpha, { anilistId, malId: 5, synonyms: ["A"] });
afterAll(async () => {
  await changeAnime(library.database.anime, alpha, {});
  internet.close();
});

const imageUrl = "http://images.example/alpha.jpg";

async function call(path: string, init: RequestInit = {}, at: TestApi = api) {
  const headers = { "x-forwarded-for": nextGuest(), ...(init.headers as Record<string, string>) };
  const response = await at.call(`/trace.moe${path}`, { ...init, headers });
  return { ...response, body: response.body as z.infer<typeof TraceMoeSearch> };
}

const post = (
  body: NonNullable<RequestInit["body"]>,
  headers: Record<string, string> = {},
  path = "/search",
) => call(path, { method: "POST", body, headers });

function toForm(file: Blob, name = "image"): FormData {
  const form = new FormData();
  form.append(name, file, "frame.jpg");
  return form;
}

describe("search", () => {
  test("responds in the format of trace.moe", async () => {
    const { status, body, headers } = await post(toForm(image));
    expect(status).toBe(200);
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(body).toMatchObject({ error: "", quota: 1000, quotaUsed: 1 });
    expect(TraceMoeSearch.parse(body)).toEqual(body);
    expect(body.frameCount).toBeGreaterThan(5);
    expect(body.result.length).toBeGreaterThan(0);
    expect(body.result.length).toBeLessThanOrEqual(5);
    const [best] = body.result;
    expect(best).toMatchObject({
      anilist: anilistId,
      filename: expect.stringMatching(/\.(mkv|mp4)$/),
      episode: 1,
      episode_start: 1,
      episode_end: 1,
      at: expect.closeTo(2, 0),
      duration: expect.closeTo(8, 0),
      video: expect.stringContaining(`${api.url}/trace.moe/`),
      image: expect.stringContaining(`${api.url}/trace.moe/`),
    });
    expect(best?.similarity).toBeGreaterThanOrEqual(0.9);
    const similarities = body.result.map(({ similarity }) => similarity);
    expect(similarities).toEqual(similarities.toSorted((a, b) => b - a));
  });

  test("bounds the frames that look like the best one", async () => {
    const fake = await openFake(library.database);
    const at = await library.openApi({}, { getSearch: () => fake.library });
    const { body } = await call("/search", { method: "POST", body: toForm(image) }, at);
    expect(body.result[0]).toMatchObject({
      from: 1,
      same_from: 1.75,
      at: 2,
      same_to: 2.25,
      to: 3,
    });
  });

  test.each(["image/jpeg", "application/octet-stream", "application/x-www-form-urlencoded", "video/mp4"])(
    "accepts a body of type %s",
    async (type) => {
      const { body } = await post(Buffer.from(await image.arrayBuffer()), { "content-type": type });
      expect(body.result[0]?.anilist).toBe(anilistId);
    },
  );

  test("reduces an image of more than 10 MiB", async () => {
    const { data, info } = await sharp(Buffer.from(await image.arrayBuffer()))
      .resize(2600, 1950, { fit: "fill" })
      .raw()
      .toBuffer({ resolveWithObject: true });
    const png = await sharp(data, { raw: info }).png({ compressionLevel: 0 }).toBuffer();
    expect(png.length).toBeGreaterThan(12 * 1024 ** 2);
    const { status, body } = await post(png, { "content-type": "image/png" });
    expect([status, body.result[0]?.anilist]).toEqual([200, anilistId]);
  });

  test("accepts a file in any field, and an address", async () => {
    expect((await post(toForm(image, "file"))).body.result[0]?.anilist).toBe(anilistId);
    const found = await call(`/search?cutBorders&url=${encodeURIComponent(imageUrl)}`);
    expect(found.body.result[0]?.anilist).toBe(anilistId);
  });

  test("adds the library's metadata with anilistInfo, null without an AniList id", async () => {
    const { body } = await post(toForm(image), {}, "/search?anilistInfo");
    expect(TraceMoeSearch.parse(body)).toEqual(body);
    expect(body.result[0]?.anilist).toMatchObject({
      id: anilistId,
      idMal: 5,
      title: { native: null, romaji: "Alpha Show", english: null },
      synonyms: ["A"],
      isAdult: false,
    });
    const beta = await readImage("Beta Show 2.png");
    expect((await post(toForm(beta))).body.result[0]?.anilist).toBeNull();
    expect((await post(toForm(beta), {}, "/search?anilistInfo=1")).body.result[0]?.anilist).toMatchObject({
      id: null,
      title: { romaji: "Beta Show" },
    });
  });

  test("filters by AniList id", async () => {
    const inAlpha = await post(
      toForm(await readImage("Beta Show 2.png")),
      {},
      `/search?anilistID=${anilistId}`,
    );
    expect(new Set(inAlpha.body.result.map(({ anilist }) => anilist))).toEqual(new Set([anilistId]));
    const { anime } = library.database;
    const merged = await anime.findOrCreate({ key: "anilist:987655", anilistId: 987_655 });
    const alpha = await anime.findByAnilistId(anilistId);
    await anime.merge(merged.id, alpha?.id ?? "");
    const ofMerged = await post(toForm(image), {}, "/search?anilistID=987655");
    expect(ofMerged.body.result[0]?.anilist).toBe(anilistId);
    const unknown = await post(toForm(image), {}, "/search?anilistID=1");
    expect(unknown.body).toEqual({ frameCount: 0, error: "", result: [] });
  });

  test("maps similarity monotonically, with the thresholds at 0.80 and 0.90", () => {
    const thresholds = { absentBelow: 0.03, confidentAt: 0.8 };
    const map = (similarity: number) =>
      toTraceMoeSimilarity({ similarity, isConfident: similarity >= thresholds.confidentAt }, thresholds);
    const mapped = Array.from({ length: 1001 }, (_, index) => map(index / 1000));
    expect(mapped).toEqual(mapped.toSorted((a, b) => a - b));
    expect([map(0), map(0.03), map(0.8), map(1)]).toEqual([0, 0.8, 0.9, 1]);
    expect(map(0.029)).toBeLessThan(0.8);
    expect(map(0.79)).toBeLessThan(0.9);
    expect(toTraceMoeSimilarity({ similarity: 0.95, isConfident: false }, thresholds)).toBeLessThan(0.9);
  });
});

describe("errors", () => {
  const search = (query: string) => call(`/search?${query}`);

  test("have trace.moe's statuses and messages", async () => {
    const cases: [Promise<{ status: number; body: unknown }>, number, string][] = [
      [search(""), 405, "Method Not Allowed"],
      [search("url=nothing"), 400, "Invalid image url nothing"],
      [
        search("url=http://images.example/gone.jpg"),
        400,
        "Failed to fetch image http://images.example/gone.jpg",
      ],
      [search("url=http://127.0.0.1/x.jpg"), 400, "Failed to fetch image http://127.0.0.1/x.jpg"],
      [post("text", { "content-type": "image/png" }), 400, "Failed to process image"],
      [post(toForm(new Blob([]))), 400, "Failed to process file"],
      [post("--x", { "content-type": "multipart/form-data; boundary=b" }), 400, "Failed to process file"],
      [
        post('{"vector":"IBgH"}', { "content-type": "application/json" }),
        400,
        "Search by color layout vector is not supported",
      ],
      [post(Buffer.alloc(11 * 1024 ** 2), { "content-type": "image/png" }), 400, "Failed to process image"],
      [post(Buffer.alloc(26 * 1024 ** 2), { "content-type": "image/png" }), 413, "Payload Too Large"],
      [call("/search", { method: "PUT", body: "x" }), 405, "Method Not Allowed"],
      [call("/nothing"), 404, "Not Found"],
    ];
    for (const [response, status, error] of cases) {
      expect(await response).toMatchObject({ status, body: { error } });
    }
  });

  test("an invalid key is never treated as a guest", async () => {
    const expected = { status: 403, body: { error: "Invalid API key" } };
    for (const path of ["/me", "/search"]) {
      expect(await call(path, { headers: { "x-trace-key": "x" } })).toMatchObject(expected);
      expect(await call(`${path}?key=x`)).toMatchObject(expected);
    }
  });

  test("an exhausted quota is 402 with the numbers, and failed searches cost nothing", async () => {
    const strict = await library.openApi({ KOMA_GUEST_SEARCHES_PER_DAY: "1" });
    const headers = { "x-forwarded-for": nextGuest() };
    const send = (body: FormData) => call("/search", { method: "POST", body, headers }, strict);
    expect((await send(toForm(new Blob(["no image"])))).status).toBe(400);
    expect((await send(toForm(image))).status).toBe(200);
    expect(await send(toForm(image))).toMatchObject({
      status: 402,
      body: { quota: 1, quotaUsed: 1, error: "Search quota depleted (quota per 24 hours: 1, used: 1)" },
    });
    // A file that must be reduced costs no decoding then.
    expect((await send(toForm(new Blob([new Uint8Array(11 * 1024 ** 2)])))).status).toBe(402);
    const me = await call("/me", { headers }, strict);
    expect(me.body).toMatchObject({ priority: 0, concurrency: 1, quota: 1, quotaUsed: 1 });
    const koma = await strict.search({ image }, { from: headers["x-forwarded-for"] });
    expectProblem(koma, "guest_limit_reached");
  });

  test("an upload without new data ends with 408, as a form or a body", async () => {
    const strict = await library.openApi({ KOMA_UPLOAD_IDLE_SECONDS: "1" });
    const send = async (type: string, start: string) => {
      const headers = { "x-forwarded-for": nextGuest(), "content-type": type };
      return await sendHead(strict.url, "/trace.moe/search", headers, `${start}the first bytes`);
    };
    const file = '--b\r\ncontent-disposition: form-data; name="image"; filename="a"\r\n\r\n';
    for (const response of await Promise.all([
      send("multipart/form-data; boundary=b", file),
      send("image/jpeg", ""),
    ])) {
      expect(response).toMatch(/^HTTP\/1\.1 408 [\s\S]*\r\n\r\n\{"error":"Request Timeout"\}$/);
    }
  });

  test("too many requests are 429", async () => {
    const strict = await library.openApi({ KOMA_REQUESTS_PER_MINUTE: "1" });
    const headers = { "x-forwarded-for": nextGuest() };
    const first = await call("/me", { headers }, strict);
    const { headers: sent, ...exceeded } = await call("/me", { headers }, strict);
    expect(exceeded).toMatchObject({
      status: 429,
      body: { error: "Too many requests, please try again later." },
    });
    for (const response of [first.headers, sent]) {
      const limits = ["limit", "remaining"].map((name) => response.get(`x-ratelimit-${name}`));
      expect(limits).toEqual(["1", "0"]);
      const seconds = Number(response.get("ratelimit-reset"));
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(60);
      const resetsAt = Number(response.get("x-ratelimit-reset")) - seconds;
      expect(Math.abs(resetsAt - Date.parse(response.get("date") ?? "") / 1000)).toBeLessThan(10);
    }
  });
});

describe("keys", () => {
  test("count for their user, in the header and in the address", async () => {
    const user = await signUp(api);
    const { key } = await makeKey(api, user);
    const search = await post(toForm(image), { "x-trace-key": key });
    expect(search.body).toMatchObject({ quota: 10, quotaUsed: 1 });
    expect((await post(toForm(image), {}, `/search?key=${key}`)).body).toMatchObject({ quotaUsed: 2 });
    expect((await call("/me", { headers: { "x-trace-key": key } })).body).toEqual({
      id: user.email.toLowerCase(),
      priority: 0,
      concurrency: 4,
      quota: 10,
      quotaUsed: 2,
    });
  });

  test("a session cookie is ignored", async () => {
    const user = await signUp(api);
    const { body } = await call("/me", { headers: { cookie: user.session.cookie } });
    expect(body).toMatchObject({ quota: 1000, quotaUsed: 0 });
  });

  test("may be sent by any site", async () => {
    const preflight = await call("/search", {
      method: "OPTIONS",
      headers: {
        origin: "https://any.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "x-trace-key,x-trace-secret",
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
    expect(preflight.headers.get("access-control-allow-headers")).toBe("x-trace-key,x-trace-secret");
  });
});

describe("previews", () => {
  test("accept trace.moe's parameters", async () => {
    const { body } = await post(toForm(image));
    const { video = "", image: still = "" } = body.result[0] ?? {};
    const small = await fetch(`${still}?size=s`);
    expect([small.status, small.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
    const webp = await fetch(`${still}?size=s`, { headers: { accept: "image/avif,image/webp;q=0.8,*/*" } });
    expect([webp.status, webp.headers.get("content-type"), webp.headers.get("vary")]).toEqual([
      200,
      "image/webp",
      expect.stringContaining("Accept"),
    ]);
    expect(Buffer.from(await webp.arrayBuffer()).toString("latin1", 8, 12)).toBe("WEBP");
    const clip = await fetch(`${video}?size=s&mute=1&minDuration=1&maxDuration=1`);
    expect([clip.status, clip.headers.get("content-type")]).toEqual([200, "video/mp4"]);
    const duration = Number(clip.headers.get("x-video-duration"));
    expect(duration).toBeCloseTo(2, 1);
    expect(duration).toBeCloseTo(
      Number(clip.headers.get("x-video-end")) - Number(clip.headers.get("x-video-start")),
      3,
    );
    const wrongSize = await fetch(`${still}?size=x`);
    expect([wrongSize.status, await wrongSize.text()]).toEqual([400, "Bad Request. Invalid param: size"]);
    const changed = await fetch(video.replace(/\d+\.mp4$/, "9999.mp4"));
    expect([changed.status, await changed.text()]).toEqual([403, "Forbidden"]);
  });

  test("expire with 410", async () => {
    const { body } = await post(toForm(image));
    const path = new URL(body.result[0]?.image ?? "").pathname;
    const later = await library.openApi({}, { now: () => new Date(Date.now() + 3 * 86_400_000) });
    const response = await fetch(`${later.url}${path}`);
    expect([response.status, await response.text()]).toEqual([410, "Gone"]);
  });

  test("size and mute of the search apply to its previews", async () => {
    const { body } = await post(toForm(image), {}, "/search?size=l&mute");
    expect(body.result[0]?.image).toMatch(/\.jpg\?size=l$/);
    expect(body.result[0]?.video).toMatch(/\.mp4\?size=l&mute$/);
  });
});

test("serves the same API without a prefix at its own host name", async () => {
  const get = async (path: string, host: string) => {
    const response = await api.app.inject({ url: path, headers: { host } });
    return { status: response.statusCode, body: response.body };
  };
  expect(await get("/", "trace.koma.example")).toEqual({ status: 200, body: "ok" });
  expect(JSON.parse((await get("/me", "trace.koma.example:8080")).body)).toMatchObject({ quota: 1000 });
  expect(JSON.parse((await get("/search", "trace.koma.example")).body)).toEqual({
    error: "Method Not Allowed",
  });
  expect((await get("/me", "koma.example")).status).toBe(404);
});

describe("an unmodified client from npm with another address", () => {
  test("trace.moe", async () => {
    Object.assign(require("trace.moe/constants/endpoints.json"), { BASE_URL: `${api.url}/trace.moe` });
    const { Client } = require("trace.moe");
    const { key } = await makeKey(api, await signUp(api));
    const client = new Client(key);
    const found = await client.getSimilarFromURL(imageUrl, { cutBorders: true });
    expect(found).toMatchObject({ error: "", quota: 10, quotaUsed: 1 });
    expect(found.result[0].anilist).toBe(anilistId);
    expect(await client.getAccountInfo()).toMatchObject({ quota: 10, quotaUsed: 1 });
    expect(await client.getSimilarFromURL("nothing")).toEqual({ error: "Invalid image url nothing" });
    // This client wraps its file in JSON, which trace.moe rejects as well.
    expect(await client.getSimilarFromBuffer(Buffer.from("x"))).toEqual({ error: "Failed to process image" });
  });
});
