import { SearchResult } from "@koma/contract";
import { sharp } from "@koma/image";
import { openFakeInternet, publicAddress } from "@koma/image-fetch/testing/fake-internet";
import type { LibrarySearch } from "@koma/library";
import { describe, expect, test } from "vitest";
import { expectProblem } from "./fixtures/expect-problem.ts";
import { openFake } from "./fixtures/fake-library.ts";
import { nextGuest, openTestLibrary, readImage } from "./fixtures/open-test-api.ts";
import { readQuota } from "./fixtures/test-users.ts";

const library = await openTestLibrary();
const api = await library.openApi();

const image = await readImage("Alpha Show 2.jpg");

const remainingOf = async (from: string): Promise<number> =>
  (await readQuota(api, { "x-forwarded-for": from })).remaining;

describe("an image finds its scene", () => {
  test.each([
    ["Alpha Show 2.jpg", "Alpha Show", 1, 0],
    ["Alpha Show 6.jpg", "Alpha Show", 1, 4],
    ["Beta Show 2.png", "Beta Show", 2, 0],
  ])("from the file %s", async (name, title, episode, sceneFrom) => {
    const response = await api.search({ image: await readImage(name) });
    expect(response.status).toBe(200);
    const result = SearchResult.parse(response.body);
    const [best] = result.matches;
    expect(result.outcome).toBe("found");
    expect(best?.rank).toBe(1);
    expect(best?.anime.title.romaji).toBe(title);
    expect(best?.episode).toEqual({
      season: null,
      number: episode,
      title: null,
    });
    const capturedAtSeconds = Number(/\d+/.exec(name)?.[0]);
    expect(best?.from).toBeGreaterThanOrEqual(sceneFrom - 0.2);
    expect(best?.to).toBeLessThanOrEqual(sceneFrom + 4.2);
    expect(Math.abs((best?.timestamp ?? 0) - capturedAtSeconds)).toBeLessThan(1);
    expect(best?.timestamp).toBeGreaterThanOrEqual(best?.from ?? Number.NaN);
    expect(best?.timestamp).toBeLessThanOrEqual(best?.to ?? Number.NaN);
    expect(best?.duration).toBeCloseTo(8, 0);
    expect(result.matches.map((match) => match.rank)).toEqual(result.matches.map((_, index) => index + 1));
    const similarities = result.matches.map((match) => match.similarity);
    expect(similarities).toEqual(similarities.toSorted((a, b) => b - a));
    expect(result.frameCount).toBeGreaterThan(5);
    expect(result.confirmToken).not.toBe(result.id);
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  test("from the frame of an animation that shows most", async () => {
    const frame = sharp(await image.arrayBuffer());
    const { width, height } = await frame.metadata();
    const blank = sharp({ create: { width, height, channels: 3, background: "#000" } });
    const frames = await Promise.all([blank, frame].map((each) => each.png().toBuffer()));
    const bytes = await sharp(frames, { join: { animated: true } })
      .gif({ delay: [1200, 500], effort: 1 })
      .toBuffer();
    const response = await api.search({ image: new Blob([new Uint8Array(bytes)]) });
    const result = SearchResult.parse(response.body);
    expect(result.matches[0]?.anime.title.romaji).toBe("Alpha Show");
    expect(result.queryFrame).toEqual({ timestamp: 1.2 });
  });

  test("in a part without a file name, between unknown or empty fields", async () => {
    const body = Buffer.concat([
      Buffer.from('--b\r\ncontent-disposition: form-data; name="url"\r\n\r\n\r\n'),
      Buffer.from('--b\r\ncontent-disposition: form-data; name="other"\r\n\r\nx\r\n'),
      Buffer.from('--b\r\ncontent-disposition: form-data; name="image"\r\ncontent-type: image/jpeg\r\n\r\n'),
      Buffer.from(await image.arrayBuffer()),
      Buffer.from("\r\n--b--\r\n"),
    ]);
    const headers = {
      "content-type": "multipart/form-data; boundary=b",
      "x-forwarded-for": nextGuest(),
    };
    expect((await api.call("/api/anime/search", { method: "POST", body, headers })).status).toBe(200);
  });

  test("with its borders if trimBorders is false", async () => {
    const fake = await openFake(library.database);
    const trims: unknown[] = [];
    const search: LibrarySearch["search"] = async (bytes, options) => {
      trims.push(options.trimBorders);
      return await fake.library.search(bytes, options);
    };
    const watched = await library.openApi({}, { getSearch: () => ({ ...fake.library, search }) });
    for (const fields of [{}, { trimBorders: "true" }, { trimBorders: "false" }]) {
      expect((await watched.search({ image, ...fields })).status).toBe(200);
    }
    expect(trims).toEqual([true, true, false]);
    const refused = await watched.search({ image, trimBorders: "no" });
    expectProblem(refused, "invalid_request", { errors: [{ path: "trimBorders" }] });
  });

  test("in one anime only", async () => {
    const found = await api.call("/api/anime?query=BETA");
    const [beta] = (found.body as { items: { id: string }[] }).items;
    const response = await api.search({ image, animeId: beta?.id ?? "" });
    const titles = SearchResult.parse(response.body).matches.map((match) => match.anime.title.romaji);
    expect(new Set(titles)).toEqual(new Set(["Beta Show"]));
    // The id of a merged anime stays valid.
    const { anime } = library.database;
    const { id } = await anime.findOrCreate({ key: "merged into beta", title: "Merged Into Beta" });
    await anime.merge(id, beta?.id ?? "");
    const merged = SearchResult.parse((await api.search({ image, animeId: id })).body);
    expect(merged.matches.map((match) => match.anime.id)).toEqual(titles.map(() => beta?.id));
    const unknown = await api.search({ image, animeId: "unknown" });
    expectProblem(unknown, "invalid_request", { errors: [{ path: "animeId" }] });
  });

  test("behind an address with a redirect", async () => {
    const internet = await openFakeInternet({
      "pictures.example": [publicAddress],
    });
    const image = Buffer.from(await (await readImage("Alpha Show 6.jpg")).arrayBuffer());
    await internet.serve(publicAddress, (request, response) => {
      if (request.url === "/picture") response.end(image);
      else response.writeHead(301, { location: "/picture" }).end();
    });
    const online = await library.openApi({}, { network: internet.network });
    const response = await online.search({
      url: " http://pictures.example/start ",
    });
    expect(SearchResult.parse(response.body).matches[0]?.from).toBeGreaterThan(3.5);
    internet.close();
  });
});

describe("the daily quota of a guest", () => {
  test("has five searches, counted down in the response, the headers and the quota", async () => {
    const from = nextGuest();
    expect(await remainingOf(from)).toBe(5);
    for (const remaining of [4, 3, 2, 1, 0]) {
      const response = await api.search({ image }, { from });
      expect(SearchResult.parse(response.body).quota).toMatchObject({
        kind: "guest",
        limit: 5,
        remaining,
      });
      expect(response.headers.get("ratelimit-policy")).toBe('"guest";q=5;w=86400');
      expect(response.headers.get("ratelimit")).toMatch(new RegExp(`^"guest";r=${remaining};t=\\d+$`));
      expect(await remainingOf(from)).toBe(remaining);
    }
    const refused = await api.search({ image }, { from });
    expectProblem(refused, "guest_limit_reached", { quota: { remaining: 0 } });
    expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(86_400);
    expect(refused.headers.get("ratelimit")).toMatch(/^"guest";r=0;t=\d+$/);
    expect((await api.search({ image })).status).toBe(200);
  });

  test("is shared by an IPv6 /64", async () => {
    const from = nextGuest();
    await api.search({ image }, { from });
    expect(await remainingOf(from.replace("::1", ":ffff::2"))).toBe(4);
  });

  test("cannot be renewed by a forged X-Forwarded-For", async () => {
    const direct = await library.openApi({
      KOMA_TRUSTED_PROXIES: "",
      KOMA_GUEST_SEARCHES_PER_DAY: "100000",
    });
    const used = async () =>
      100_000 - (await readQuota(direct, { "x-forwarded-for": nextGuest() })).remaining;
    const before = await used();
    for (let i = 0; i < 3; i++)
      expect((await direct.search({ image }, { from: nextGuest() })).status).toBe(200);
    expect(await used()).toBe(before + 3);
    // A trusted proxy appends the address that it sees; earlier values are ignored.
    const from = nextGuest();
    await api.search({ image }, { from: `203.0.113.9, ${from}` });
    expect(await remainingOf(from)).toBe(4);
  });

  test("ends at midnight of the configured zone", async () => {
    let now = "2026-11-20T14:59:59.000Z";
    const tokyo = await library.openApi({ KOMA_TIME_ZONE: "Asia/Tokyo" }, { now: () => new Date(now) });
    const from = nextGuest();
    const response = await tokyo.search({ image }, { from });
    expect(SearchResult.parse(response.body).quota).toMatchObject({
      remaining: 4,
      resetsAt: "2026-11-20T15:00:00.000Z",
    });
    expect(response.headers.get("ratelimit")).toBe('"guest";r=4;t=1');
    now = "2026-11-20T15:00:00.000Z";
    expect(SearchResult.parse((await tokyo.search({ image }, { from })).body).quota.remaining).toBe(4);
  });

  test("is not reduced when the guest disconnects before the response", async () => {
    const internet = await openFakeInternet({
      "pictures.example": [publicAddress],
    });
    await internet.serveRaw(publicAddress, () => {});
    const online = await library.openApi({}, { network: internet.network });
    const from = nextGuest();
    const guest = new AbortController();
    const search = online.search({ url: "http://pictures.example/" }, { from, signal: guest.signal });
    await expect.poll(() => remainingOf(from)).toBe(4);
    guest.abort();
    await expect(search).rejects.toThrow();
    await expect.poll(() => remainingOf(from)).toBe(5);
    internet.close();
  });
});
