import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { Match, SearchResult } from "@koma/contract";
import { sharp } from "@koma/image";
import { afterEach, expect, test } from "vitest";
import { createUpstreams } from "../../src/upstreams/upstreams.ts";

/** The published example of trace.moe's `/search?anilistInfo`, with the fields of its present version. */
const traceMoeResponse = {
  frameCount: 745506,
  error: "",
  result: [
    {
      anilist: {
        id: 99939,
        idMal: 34658,
        title: { native: "ネコぱらOVA", romaji: "Nekopara OVA", english: null },
        synonyms: ["Neko Para OVA"],
        isAdult: false,
      },
      filename: "Nekopara - OVA (BD 1280x720 x264 AAC).mp4",
      episode: null as unknown,
      from: 97.75,
      at: 98.25,
      to: 98.92,
      duration: 3599.9,
      similarity: 0.9440424588727485,
      video: "https://api.trace.moe/video/99939/x.mp4?t=98.335&now=1653892514&token=xxx",
      image: "https://api.trace.moe/image/99939/x.mp4.jpg?t=98.335&now=1653892514&token=xxx",
    },
  ],
};
const [traceMoeResult] = traceMoeResponse.result;

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

type Request = { method: string; url: string; headers: IncomingMessage["headers"]; body: Buffer };

/** A local service; `respond` gets the number of the request. */
async function serve(respond: (response: ServerResponse, count: number) => void) {
  const requests: Request[] = [];
  const handle: RequestListener = (request, response) => {
    buffer(request).then(
      (body) => {
        const { method = "", url = "", headers } = request;
        requests.push({ method, url, headers, body });
        respond(response, requests.length);
      },
      () => undefined,
    );
  };
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

const serveJson = async (json: unknown) => await serve((response) => response.end(JSON.stringify(json)));

type Options = Partial<Parameters<typeof createUpstreams>[0]>;

function open(upstreams: Parameters<typeof createUpstreams>[0]["upstreams"], options: Options = {}) {
  const messages: string[] = [];
  const onLog = (message: string) => messages.push(message);
  const opened = createUpstreams({ upstreams, userAgent: "Koma/0", onLog, ...options });
  return {
    sources: opened.sources,
    messages,
    search: async (bytes: Uint8Array, more: Partial<Parameters<typeof opened.search>[0]> = {}) =>
      await opened.search({
        bytes,
        atSeconds: undefined,
        takeRequest: async () => true,
        signal: new AbortController().signal,
        ...more,
      }),
  };
}

let images = 0;

/** A JPEG with a comment of the camera; each has other content. */
async function createImage(): Promise<Buffer> {
  images += 1;
  return await sharp({ create: { width: 1280, height: 720 + images, channels: 3, background: "#369" } })
    .withExif({ IFD0: { Artist: "the owner of the camera" } })
    .jpeg()
    .toBuffer();
}

function createKomaResult(changes: Partial<SearchResult> = {}, match: Partial<Match> = {}): SearchResult {
  const example = SearchResult.parse((SearchResult.meta()?.examples as unknown[] | undefined)?.[0]);
  return { ...example, matches: example.matches.map((one) => ({ ...one, ...match })), ...changes };
}

test("trace.moe gets a small JPEG without metadata, and its results become matches", async () => {
  const service = await serveJson(traceMoeResponse);
  const { search, sources } = open([{ kind: "tracemoe", url: service.url, key: "k3y" }]);
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
  await open([{ kind: "tracemoe", url: service.url }]).search(animation, { atSeconds: 0.5 });
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
  const found = await open([{ kind: "tracemoe", url: service.url }]).search(await createImage());
  expect(found?.matches.map(({ rank, episode }) => [rank, episode?.number])).toEqual([
    [1, "1-2"],
    [2, "13.5"],
  ]);
});

test("another Koma is asked to ask no third service, and its previews are left out", async () => {
  const service = await serveJson(createKomaResult());
  const { search } = open([{ kind: "koma", url: `${service.url}/find`, key: "k3y" }]);
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
  const found = await open([{ kind: "koma", url: service.url }]).search(await createImage());
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
  const found = await open([{ kind: "tracemoe", url: service.url }]).search(await createImage());
  const [match] = found?.matches ?? [];
  expect(match?.anime.title.romaji).toMatch(/^<script>alert\(1\)<\/script> evil a{100,}$/);
  expect(match?.anime.title.romaji).toHaveLength(200);
  expect(match?.episode?.number).toMatch(/^9 9{18}$/);
});

test.each<[string, (response: ServerResponse) => void]>([
  ["a redirect", (response) => response.writeHead(302, { location: "http://127.0.0.1:1/" }).end()],
  ["no JSON", (response) => response.end("<html>")],
  ["another form", (response) => response.end(JSON.stringify({ error: "", result: [{ similarity: "1" }] }))],
  ["a similarity above 1", (response) => response.end(respondWith({ similarity: 2 }))],
  ["a negative time", (response) => response.end(respondWith({ from: -1 }))],
  [
    "a title of another type",
    (response) => response.end(respondWith({ anilist: { id: 1, title: { romaji: {} } } })),
  ],
  ["its own error", (response) => response.end(JSON.stringify({ error: "queue is full", result: [] }))],
  ["an unreadable image", (response) => response.writeHead(400).end()],
  ["a closed connection", (response) => response.destroy()],
  ["an endless body", (response) => sendEndlessly(response)],
])("%s is no result, and the third one begins a pause of five minutes", async (_name, respond) => {
  let isHostile = true;
  const service = await serve((response) => {
    if (isHostile) respond(response);
    else response.end(JSON.stringify(traceMoeResponse));
  });
  let nowMs = 0;
  const { search, messages } = open([{ kind: "tracemoe", url: service.url, key: "k3y" }], {
    now: () => nowMs,
  });
  for (let count = 0; count < 4; count += 1) expect(await search(await createImage())).toBeUndefined();
  expect(service.requests).toHaveLength(3);
  expect(messages).toHaveLength(3);
  expect(messages.join()).not.toContain("k3y");
  isHostile = false;
  nowMs = 299_999;
  expect(await search(await createImage())).toBeUndefined();
  nowMs = 300_000;
  expect(await search(await createImage())).toMatchObject({ outcome: "found" });
});

function respondWith(changes: object): string {
  return JSON.stringify({ ...traceMoeResponse, result: [{ ...traceMoeResult, ...changes }] });
}

function sendEndlessly(response: ServerResponse): void {
  const chunk = Buffer.alloc(64 * 1024, "[");
  const send = () => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once("drain", send);
  };
  send();
}

test("a slow service ends with the time limit of the search, which also limits the others", async () => {
  const slow = await serve(() => undefined);
  const other = await serveJson(traceMoeResponse);
  const { search, messages } = open(
    [
      { kind: "koma", url: slow.url },
      { kind: "tracemoe", url: other.url },
    ],
    { timeoutMs: 300 },
  );
  expect(await search(await createImage())).toBeUndefined();
  expect(slow.requests).toHaveLength(1);
  expect(other.requests).toHaveLength(0);
  expect(messages[0]).toContain(new URL(slow.url).host);
});

test("a caller that disconnects ends the request, which is no failure of the service", async () => {
  let arrived = Promise.withResolvers<void>();
  const service = await serve((response, count) => {
    if (count > 3) response.end(JSON.stringify(traceMoeResponse));
    else arrived.resolve();
  });
  const { search } = open([{ kind: "tracemoe", url: service.url }]);
  for (let count = 0; count < 3; count += 1) {
    arrived = Promise.withResolvers();
    const caller = new AbortController();
    const searching = search(await createImage(), { signal: caller.signal });
    await arrived.promise;
    caller.abort(new Error("gone"));
    await expect(searching).rejects.toThrow("gone");
  }
  expect(await search(await createImage())).toMatchObject({ outcome: "found" });
});

test.each([
  [429, "30", 30],
  [503, "120", 120],
  [402, undefined, 600],
])(
  "after %i with Retry-After %s the service gets no request for %i s",
  async (status, retryAfter, seconds) => {
    const service = await serve((response, count) => {
      if (count > 1) response.end(JSON.stringify(traceMoeResponse));
      else response.writeHead(status, retryAfter === undefined ? {} : { "retry-after": retryAfter }).end();
    });
    let nowMs = 0;
    const { search } = open([{ kind: "tracemoe", url: service.url }], { now: () => nowMs });
    expect(await search(await createImage())).toBeUndefined();
    nowMs = seconds * 1000 - 1;
    expect(await search(await createImage())).toBeUndefined();
    expect(service.requests).toHaveLength(1);
    nowMs += 1;
    expect(await search(await createImage())).toMatchObject({ outcome: "found" });
  },
);

test("services are asked in order until one has found the scene", async () => {
  const absent = await serveJson(createKomaResult({ outcome: "not_in_library" }));
  const uncertain = await serveJson(createKomaResult({ outcome: "uncertain" }, { isConfident: false }));
  const found = await serveJson(traceMoeResponse);
  const unused = await serveJson(createKomaResult());
  const koma = ({ url }: { url: string }) => ({ kind: "koma" as const, url });
  const image = await createImage();
  const all = open([koma(absent), koma(uncertain), { kind: "tracemoe", url: found.url }, koma(unused)]);
  expect(await all.search(image)).toMatchObject({ outcome: "found", matches: [{ source: all.sources[2] }] });
  expect(unused.requests).toHaveLength(0);
  const two = open([koma(absent), koma(uncertain)]);
  expect(await two.search(image)).toMatchObject({
    outcome: "uncertain",
    matches: [{ source: two.sources[1] }],
  });
  const one = open([koma(absent)]);
  expect(await one.search(image)).toEqual({ outcome: "not_in_library", matches: [] });
});

test("the result of an image is known for a day, and costs no further request", async () => {
  const service = await serveJson(traceMoeResponse);
  let nowMs = 0;
  let taken = 0;
  const { search } = open([{ kind: "tracemoe", url: service.url }], { now: () => nowMs });
  const takeRequest = async () => {
    taken += 1;
    return true;
  };
  const image = await createImage();
  const first = await Promise.all([search(image, { takeRequest }), search(image, { takeRequest })]);
  nowMs = 24 * 3_600_000 - 1;
  expect(await search(image, { takeRequest })).toEqual(first[0]);
  expect(first[1]).toEqual(first[0]);
  expect({ taken, requests: service.requests.length }).toEqual({ taken: 1, requests: 1 });
  nowMs += 1;
  await search(image, { takeRequest });
  expect(taken).toBe(2);
});

test("no request is sent without one left, or for bytes that are no image", async () => {
  const service = await serveJson(traceMoeResponse);
  const { search } = open([{ kind: "tracemoe", url: service.url }]);
  expect(await search(await createImage(), { takeRequest: async () => false })).toBeUndefined();
  expect(await search(Buffer.from("no image"))).toBeUndefined();
  expect(service.requests).toHaveLength(0);
});
