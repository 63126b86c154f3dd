import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createPreviewRequests,
  PreviewGoneError,
  type PreviewRequest,
  PreviewUnavailableError,
} from "@koma/library";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createWorkerPreviews } from "../src/previews/worker-previews.ts";

const key = Buffer.alloc(32, 1);
const still: PreviewRequest = { kind: "still", episodeId: "episode", atSeconds: 1.5, size: "m" };
const clip: PreviewRequest = {
  ...{ kind: "clip", episodeId: "episode", size: "m" },
  ...{ fromSeconds: 1, toSeconds: 3.25, isMuted: true },
};
const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(1000)]);
const mp4 = Buffer.concat([Buffer.from("\0\0\0\x20ftypisom"), Buffer.alloc(1000)]);

const closers: (() => Promise<unknown>)[] = [];
let folder = "";
let log: string[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "koma-worker-previews-"));
  log = [];
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  await rm(folder, { recursive: true });
});

/** Starts a server in the place of a worker and returns its address. */
async function startWorker(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const send =
  (type: string, content: Buffer): RequestListener =>
  (_request, response) =>
    response.writeHead(200, { "content-type": type }).end(content);

const fail =
  (status: number): RequestListener =>
  (_request, response) =>
    response.writeHead(status).end();

async function fetchFrom(
  addresses: string[],
  request: PreviewRequest,
  o: { timeoutMs?: number; totalMs?: number } = {},
) {
  const outputFile = join(folder, randomUUID());
  const fetchPreview = createWorkerPreviews({
    workers: { listPreviewAddresses: async (_path, { limit }) => addresses.slice(0, limit) },
    key,
    onLog: (message) => log.push(message),
    ...(o.totalMs !== undefined && { totalMs: o.totalMs }),
  });
  const signal = AbortSignal.timeout(o.timeoutMs ?? 60_000);
  await fetchPreview({ request, path: "/mnt/show.mkv", outputFile, signal });
  return await readFile(outputFile);
}

test("the request that a worker receives is the one that was signed for it", async () => {
  for (const request of [still, clip]) {
    let address = "";
    const read: unknown[] = [];
    address = await startWorker(({ url = "" }, response) => {
      read.push(createPreviewRequests({ key }).read(address, url));
      const isStill = request.kind === "still";
      response.writeHead(200, { "content-type": isStill ? "image/jpeg" : "video/mp4" });
      response.end(isStill ? jpeg : mp4);
    });
    expect(await fetchFrom([address], request)).toEqual(request === still ? jpeg : mp4);
    expect(read).toEqual([request]);
  }
});

test("a worker that fails is followed by the next one", async () => {
  const failing = [
    await startWorker(fail(500)),
    await startWorker(({ socket }) => socket.destroy()),
    await startWorker((_request, response) => {
      response.writeHead(200, { "content-type": "image/jpeg", "content-length": 5000 }).write(jpeg);
      setImmediate(() => response.destroy());
    }),
    // Nothing listens on port 1.
    "127.0.0.1:1",
    "127.0.0.1:1/elsewhere?",
  ];
  const good = await startWorker(send("image/jpeg", jpeg));
  for (const address of failing) expect(await fetchFrom([address, good], still)).toEqual(jpeg);
  expect(log).toHaveLength(failing.length);
});

test("responses that are no preview are rejected", async () => {
  let elsewhere = 0;
  const target = await startWorker((_request, response) => {
    elsewhere += 1;
    response.writeHead(200, { "content-type": "image/jpeg" }).end(jpeg);
  });
  const hostile: RequestListener[] = [
    send("text/html", jpeg),
    send("image/jpeg", Buffer.from("<html>a page</html>")),
    send("image/jpeg", Buffer.from("x")),
    send("image/jpeg", mp4),
    send("image/jpeg", Buffer.concat([jpeg, Buffer.alloc(9 * 1024 ** 2)])),
    (_request, response) => response.writeHead(302, { location: `http://${target}/` }).end(),
    fail(403),
    fail(503),
  ];
  for (const listener of hostile) {
    await expect(fetchFrom([await startWorker(listener)], still)).rejects.toThrow(PreviewUnavailableError);
  }
  expect(elsewhere).toBe(0);
  expect(log.join("\n")).toContain("the same KOMA_SECRET");
});

test("silent workers cost at most three seconds, and no more than three are contacted", async () => {
  const expectLimited = async (request: PreviewRequest) => {
    let requests = 0;
    const silent = () =>
      startWorker(() => {
        requests += 1;
      });
    const addresses = await Promise.all(Array.from({ length: 5 }, silent));
    const startedAt = performance.now();
    await expect(fetchFrom(addresses, request)).rejects.toThrow(PreviewUnavailableError);
    expect(performance.now() - startedAt).toBeGreaterThan(2900);
    expect(requests).toBeGreaterThan(0);
    expect(requests).toBeLessThanOrEqual(3);
  };
  await Promise.all([still, clip].map(expectLimited));
}, 60_000);

test("a worker that has announced a clip may take longer than the limit, not so for a still", async () => {
  const totalMs = 1000;
  const slow = (content: Buffer, type: string) =>
    startWorker((_request, response) => {
      response.writeProcessing();
      setTimeout(() => response.writeHead(200, { "content-type": type }).end(content), 1.5 * totalMs);
    });
  const workers = [await slow(mp4, "video/mp4"), await slow(jpeg, "image/jpeg")];
  const never = await startWorker((_request, response) => response.writeProcessing());
  const late = fetchFrom(workers.slice(1), still, { totalMs });
  const endless = fetchFrom([never], clip, { totalMs, timeoutMs: 1.5 * totalMs });
  await Promise.all([
    expect(fetchFrom(workers.slice(0, 1), clip, { totalMs })).resolves.toEqual(mp4),
    expect(late).rejects.toThrow(PreviewUnavailableError),
    expect(endless).rejects.toThrow("timeout"),
  ]);
}, 60_000);

test("a video is gone when all workers of its folder respond so", async () => {
  const [missing, broken] = [await startWorker(fail(404)), await startWorker(fail(500))];
  await expect(fetchFrom([missing, missing], still)).rejects.toThrow(PreviewGoneError);
  await expect(fetchFrom([missing, broken], still)).rejects.toThrow(PreviewUnavailableError);
  await expect(fetchFrom([], clip)).rejects.toThrow(PreviewUnavailableError);
});
