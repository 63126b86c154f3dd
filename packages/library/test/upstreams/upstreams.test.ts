import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import {
  createImage,
  createKomaResult,
  openUpstreams,
  serve,
  serveJson,
  traceMoeResponse,
} from "./serve-upstream.ts";

const [traceMoeResult] = traceMoeResponse.result;

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
  const { search, messages, listDown, sources } = openUpstreams(
    [{ kind: "tracemoe", url: service.url, key: "k3y" }],
    {
      now: () => nowMs,
    },
  );
  for (let count = 0; count < 4; count += 1) expect(await search(await createImage())).toBeUndefined();
  expect(service.requests).toHaveLength(3);
  expect(messages).toHaveLength(3);
  expect(messages.join()).not.toContain("k3y");
  expect([listDown(0), listDown(1)]).toEqual([sources, []]);
  isHostile = false;
  nowMs = 299_999;
  expect(await search(await createImage())).toBeUndefined();
  expect(listDown(nowMs)).toEqual(sources);
  nowMs = 300_000;
  expect(await search(await createImage())).toMatchObject({ outcome: "found" });
  expect(listDown(0)).toEqual([]);
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
  const { search, messages } = openUpstreams(
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
  const { search } = openUpstreams([{ kind: "tracemoe", url: service.url }]);
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
    const { search } = openUpstreams([{ kind: "tracemoe", url: service.url }], { now: () => nowMs });
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
  const all = openUpstreams([
    koma(absent),
    koma(uncertain),
    { kind: "tracemoe", url: found.url },
    koma(unused),
  ]);
  expect(await all.search(image)).toMatchObject({ outcome: "found", matches: [{ source: all.sources[2] }] });
  expect(unused.requests).toHaveLength(0);
  const two = openUpstreams([koma(absent), koma(uncertain)]);
  expect(await two.search(image)).toMatchObject({
    outcome: "uncertain",
    matches: [{ source: two.sources[1] }],
  });
  const one = openUpstreams([koma(absent)]);
  expect(await one.search(image)).toEqual({ outcome: "not_in_library", matches: [] });
});

test("the result of an image is known for a day, and costs no further request", async () => {
  const service = await serveJson(traceMoeResponse);
  let nowMs = 0;
  let taken = 0;
  const { search } = openUpstreams([{ kind: "tracemoe", url: service.url }], { now: () => nowMs });
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
  const { search } = openUpstreams([{ kind: "tracemoe", url: service.url }]);
  expect(await search(await createImage(), { takeRequest: async () => false })).toBeUndefined();
  expect(await search(Buffer.from("no image"))).toBeUndefined();
  expect(service.requests).toHaveLength(0);
});
