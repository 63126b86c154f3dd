import { once } from "node:events";
import { copyFile, mkdir, rename, symlink } from "node:fs/promises";
import { get } from "node:http";
import { buffer } from "node:stream/consumers";
import { deriveKey } from "@koma/accounts";
import { type Match, SearchResult } from "@koma/contract";
import { connectDatabase } from "@koma/database";
import {
  createPreviewRequests,
  findFfmpeg,
  type MappedRoot,
  openLibrary,
  type PreviewRequest,
} from "@koma/library";
import { findTestFrame, findTestVideo } from "@koma/sample-library/test-videos";
import { startApi } from "@koma/testing/start-koma";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { servePreviews } from "../src/indexing/serve-previews.ts";
import { createServerWorkplace } from "./koma.ts";

const secret = "a secret for the tests of the previews of workers";
const image = findTestFrame("spiral and card", 2);
const closers: (() => Promise<unknown>)[] = [];
let fleet: Awaited<ReturnType<typeof openFleet>>;
beforeAll(async () => {
  fleet = await openFleet();
});
afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

/**
 * A database with one indexed video whose file is only in the folder of a worker, and functions that start an API
 * and workers.
 */
async function openFleet() {
  const workplace = await createServerWorkplace();
  closers.push(() => workplace.remove());
  const { path, databaseUrl } = workplace;
  const [queued, mounted] = [path("queued"), path("mounted")];
  await mkdir(queued);
  await copyFile(findTestVideo("spiral and card"), path("queued", "Show - 1.mp4"));
  expect(await workplace.koma("index", "queued")).toMatchObject({ code: 0 });
  await rename(queued, mounted);
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  closers.push(() => database.end());
  const environment = { DATABASE_URL: databaseUrl, KOMA_SECRET: secret, KOMA_ENGINE_WORKERS: "1" };
  return {
    ...{ path, databaseUrl, queued, mounted },
    findEpisode: async () => String((await database.query('SELECT "id" FROM "Episode"')).rows[0].id),
    startWorker: async () => {
      const args = ["worker", "--root", `${queued}=${mounted}`, "--serve", "127.0.0.1:0"];
      const worker = workplace.start(args, { ...environment, KOMA_DATA_DIR: path("worker") });
      closers.push(async () => {
        worker.child.kill("SIGKILL");
        await worker.ended;
      });
      const [, address = ""] = await worker.printed(/previews: (\S+)/);
      const isRegistered = async () => {
        const { rowCount } = await database.query('SELECT 1 FROM "IndexWorker" WHERE "previewAddress" = $1', [
          address,
        ]);
        return rowCount;
      };
      await expect.poll(isRegistered, { timeout: 60_000 }).toBe(1);
      return worker;
    },
    startApi: async () => {
      const api = await startApi(path("api"), environment);
      closers.push(() => api.stop());
      return api;
    },
  };
}

/** The first match of a search. */
async function findMatch(url: string): Promise<Match> {
  const { openAsBlob } = await import("node:fs");
  const body = new FormData();
  body.append("image", await openAsBlob(image));
  const response = await fetch(`${url}/api/anime/search`, { method: "POST", body });
  const [match] = SearchResult.parse(await response.json()).matches;
  if (match === undefined) throw new Error("Nothing was found.");
  return match;
}

async function request(url: string) {
  const startedAt = performance.now();
  const response = await fetch(url);
  const bytes = Buffer.from(await response.arrayBuffer());
  const { status, headers } = response;
  const [type, cache, retry] = ["content-type", "cache-control", "retry-after"].map((name) =>
    headers.get(name),
  );
  return { status, type, cache, retry, bytes, ms: performance.now() - startedAt };
}

const hasFtyp = (bytes: Buffer): boolean => bytes.toString("latin1", 4, 8) === "ftyp";

test("an API without the videos serves previews of a worker, and the stored still after its end", async () => {
  const { startWorker } = fleet;
  const api = await fleet.startApi();
  const match = await findMatch(api.url);
  const { stills, clips } = match.previewPaths ?? {};
  const [still, clip] = [`${api.url}${stills?.m}`, `${api.url}${clips?.m}`];
  const unavailable = { status: 503, type: expect.stringContaining("problem+json"), retry: "10" };
  expect(await request(clip)).toMatchObject(unavailable);

  const worker = await startWorker();
  const good = { status: 200, cache: expect.stringContaining("immutable") };
  // A slow machine needs more than three seconds for the first attempt.
  const patience = { timeout: 120_000 };
  await expect.poll(() => request(still), patience).toMatchObject({ ...good, type: "image/jpeg" });
  await expect.poll(() => request(clip), patience).toMatchObject({ ...good, type: "video/mp4" });
  expect(hasFtyp((await request(clip)).bytes)).toBe(true);
  const part = await fetch(clip, { headers: { range: "bytes=4-7" } });
  expect([part.status, await part.text()]).toEqual([206, "ftyp"]);

  // The process is there and does not respond.
  worker.child.kill("SIGSTOP");
  const stored = await request(`${api.url}${stills?.l}`);
  expect(stored).toMatchObject({ status: 200, type: "image/jpeg", cache: "no-store" });
  expect(stored.ms).toBeGreaterThan(500);
  expect(await request(`${api.url}${clips?.s}`)).toMatchObject(unavailable);
  worker.child.kill("SIGKILL");
  await worker.ended;
  expect(await request(`${api.url}${stills?.l}`)).toMatchObject({ status: 200, cache: "no-store" });
  expect(await request(`${api.url}${clips?.s}`)).toMatchObject(unavailable);
  // What was fetched before is in the cache.
  expect(await request(clip)).toMatchObject({ status: 200 });
  expect(api.log()).toMatch(/The worker at 127\.0\.0\.1:\d+ returns no preview/);

  await startWorker();
  await expect.poll(() => request(`${api.url}${clips?.s}`), patience).toMatchObject(good);
  await expect.poll(() => request(`${api.url}${stills?.l}`), patience).toMatchObject(good);
}, 600_000);

test("a worker serves only what an API has signed for it, of episodes in its roots", async () => {
  const { path: pathOf, queued, mounted, databaseUrl, findEpisode } = fleet;
  const episodeId = await findEpisode();
  const dataDir = pathOf("worker");
  const database = await connectDatabase({ dataDir, databaseUrl });
  closers.push(() => database.close());
  const library = await openLibrary({ database, dataDir, tools: findFfmpeg });
  closers.push(() => library.close());
  const key = deriveKey(secret, "worker-preview");
  const serve = async (...roots: MappedRoot[]) => {
    const listen = { host: "127.0.0.1", port: 0 };
    const previews = library.openPreviews({ roots });
    const server = await servePreviews({ listen, previews, key, onLog: () => undefined });
    closers.push(() => server.close());
    return server;
  };
  const worker = await serve({ queued, local: mounted });
  const ask = async (path: string, address = worker.address) => {
    const [response] = await once(get(`http://${address}${path}`, { agent: false }), "response");
    return {
      status: response.statusCode,
      type: response.headers["content-type"],
      bytes: await buffer(response),
    };
  };
  const requests = createPreviewRequests({ key });
  const still: PreviewRequest = { kind: "still", episodeId, atSeconds: 3, size: "s" };
  const path = requests.write(worker.address, still);
  expect(await ask(path)).toMatchObject({ status: 200, type: "image/jpeg" });

  const another = requests.write(worker.address, { ...still, atSeconds: 4 });
  const [, signature = ""] = path.split("/");
  const early = createPreviewRequests({ key, now: () => Date.now() - 31_000 });
  const foreign = createPreviewRequests({ key: deriveKey(secret, "preview") });
  const refused = [
    another.replace(/^\/[^/]+/, `/${signature}`),
    path.replace("/s/3000", "/l/3000"),
    `${path}?size=l`,
    path.replace(/\d{10}/, (expires) => String(Number(expires) + 1)),
    path.replace(signature, ""),
    path.replace(signature, `${signature}A`),
    path.replace(signature, signature.toLowerCase()),
    early.write(worker.address, still),
    foreign.write(worker.address, still),
    requests.write("127.0.0.1:1", still),
    "/",
    "/metrics",
    "/..%2f..%2fetc/passwd",
  ];
  for (const one of refused) expect([one, (await ask(one)).status]).toEqual([one, 403]);
  expect((await ask(requests.write(worker.address, { ...still, episodeId: "unknown" }))).status).toBe(404);

  // A link leads out of the root of one worker, and the video is outside the root of the other.
  const links = pathOf("links");
  await mkdir(links);
  await symlink(pathOf("mounted", "Show - 1.mp4"), pathOf("links", "Show - 1.mp4"));
  for (const root of [
    { queued, local: links },
    { queued: "/mnt", local: mounted },
  ]) {
    const { address } = await serve(root);
    expect([root, (await ask(requests.write(address, still), address)).status]).toEqual([root, 404]);
  }
}, 600_000);
