import { Match } from "@koma/contract";
import { sharp } from "@koma/image";
import { expect, test } from "vitest";
import {
  createImage,
  createKomaResult,
  openUpstreams,
  serveJson,
  traceMoeResponse,
} from "./serve-upstream.ts";

const [traceMoeResult] = traceMoeResponse.result;

test("trace.moe gets a small JPEG without metadata, and its results become matches", async () => {
  const service = await serveJson(traceMoeResponse);
  const { search, sources } = openUpstreams([{ kind: "tracemoe", url: service.url, key: "k3y" }]);
  const found = await search(await createImage());
  const [request] = service.requests;
  expect(request).toMatchObject({ method: "POST", url: "/search?anilistInfo" });
  expect(request?.headers).toMatchObject({ "x-trace-key": "k3y", "content-type": "image/jpeg" });
  expect(request?.body.toString("latin1")).not.toContain("owner of the camera");
  const { width, height, exif, format } = await sharp(request?.body).metadata();
  expect(Math.max(width, height)).toBe(640);
  expect({ exif, format }).toEqual({ exif: undefined, format: "jpeg" });
  expect(found?.outcome).toBe("found");
  expect(found?.matches.map((match) => Match.parse(match))).toEqual(found?.matches);
  expect(found?.matches[0]).toMatchObject({
    rank: 1,
    anime: { id: "anilist-99939", anilistId: 99939, malId: 34658, isAdult: false, coverUrl: null },
    episode: null,
    from: 97.75,
    timestamp: 98.25,
    to: 98.92,
    duration: 3599.9,
    isConfident: true,
    imageUrl: null,
    source: sources[0],
  });
});

test("of an animation, the searched frame is sent", async () => {
  const frames = ["#000", "#fff", "#000"].map((background) =>
    sharp({ create: { width: 64, height: 36, channels: 3, background } })
      .png()
      .toBuffer(),
  );
  const animation = await sharp(await Promise.all(frames), { join: { animated: true } })
    .gif({ delay: [500, 300, 500] })
    .toBuffer();
  const service = await serveJson(traceMoeResponse);
  await openUpstreams([{ kind: "tracemoe", url: service.url }]).search(animation, { atSeconds: 0.5 });
  const { channels } = await sharp(service.requests[0]?.body).stats();
  expect(channels[0]?.mean).toBeGreaterThan(250);
});

test("results of trace.moe below its published threshold, without titles or of the same scene are left out", async () => {
  const service = await serveJson({
    ...traceMoeResponse,
    result: [
      { ...traceMoeResult, episode: [1, 2] },
      { ...traceMoeResult, episode: [1, 2], from: 99, at: 99.5, to: 101 },
      { ...traceMoeResult, episode: "13.5", at: undefined, duration: undefined },
      { ...traceMoeResult, anilist: 99939 },
      { ...traceMoeResult, anilist: { ...traceMoeResult?.anilist, title: { romaji: "\u0000\u202e " } } },
      { ...traceMoeResult, episode: 4, similarity: 0.8999 },
    ],
  });
  const found = await openUpstreams([{ kind: "tracemoe", url: service.url }]).search(await createImage());
  expect(found?.matches.map(({ rank, episode }) => [rank, episode?.number])).toEqual([
    [1, "1-2"],
    [2, "13.5"],
  ]);
});

test("another Koma is asked to ask no third service, and its previews are left out", async () => {
  const service = await serveJson(createKomaResult());
  const { search } = openUpstreams([{ kind: "koma", url: `${service.url}/find`, key: "k3y" }]);
  const found = await search(await createImage());
  const [request] = service.requests;
  expect(request?.url).toBe("/find/api/anime/search");
  expect(request?.headers.authorization).toBe("Bearer k3y");
  expect(request?.body.toString("latin1")).toMatch(/name="upstream"\r\n\r\nfalse/);
  expect(request?.body.toString("latin1")).toMatch(/name="isPublic"\r\n\r\nfalse/);
  expect(found).toMatchObject({ outcome: "found", matches: [{ episode: { number: 3 }, similarity: 0.973 }] });
  const [match] = found?.matches ?? [];
  expect(match).toMatchObject({ imageUrl: null, videoUrl: null, previewPaths: null, otherOccurrences: [] });
  expect(match?.anime).toMatchObject({ id: "anilist-1", coverUrl: null, coverPath: null, links: [] });
});

test.each([
  ["not in its library", createKomaResult({ outcome: "not_in_library" }), "not_in_library", 0],
  ["uncertain", createKomaResult({ outcome: "uncertain" }, { isConfident: false }), "uncertain", 1],
  ["found without a confident match", createKomaResult({}, { isConfident: false }), "uncertain", 1],
  [
    "of a third service",
    createKomaResult({}, { source: { name: "x", url: "http://x" } }),
    "not_in_library",
    0,
  ],
])("a result of a Koma that is %s", async (_name, result, outcome, count) => {
  const service = await serveJson(result);
  const found = await openUpstreams([{ kind: "koma", url: service.url }]).search(await createImage());
  expect(found).toMatchObject({ outcome });
  expect(found?.matches).toHaveLength(count);
});

test("texts of a service are one line of at most 200 characters, and markup remains text", async () => {
  const romaji = `<script>alert(1)</script>\n\u202eevil\u0007${"a".repeat(1000)}`;
  const service = await serveJson({
    ...traceMoeResponse,
    result: [
      {
        ...traceMoeResult,
        episode: `9\r\n${"9".repeat(99)}`,
        anilist: { ...traceMoeResult?.anilist, title: { romaji } },
      },
    ],
  });
  const found = await openUpstreams([{ kind: "tracemoe", url: service.url }]).search(await createImage());
  const [match] = found?.matches ?? [];
  expect(match?.anime.title.romaji).toMatch(/^<script>alert\(1\)<\/script> evil a{100,}$/);
  expect(match?.anime.title.romaji).toHaveLength(200);
  expect(match?.episode?.number).toMatch(/^9 9{18}$/);
});
