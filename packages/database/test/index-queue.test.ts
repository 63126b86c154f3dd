import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { beforeEach, expect, it } from "vitest";
import { openTestDatabase } from "./open-test-database.ts";

const makeVideo = (path: string) => ({ path, sizeBytes: 1000, modifiedAtMs: 1_700_000_000_000 });
const normal = { options: { force: false }, priority: 0 };

const { database, databaseUrl } = await openTestDatabase();

const queue = () => database.indexQueue;
/** Paths of a test are in a folder of their own, so that tests see only their videos. */
let folder = "";
beforeEach(() => {
  folder = `/${randomUUID()}`;
});

async function take(o: { leaseSeconds?: number; maxAttempts?: number; worker?: string } = {}) {
  const { leaseSeconds = 60, maxAttempts = 5, worker = "worker" } = o;
  return await queue().take({ workerId: worker, leaseSeconds, maxAttempts, folders: [folder] });
}
async function takeOrThrow(o: Parameters<typeof take>[0] = {}) {
  const claim = await take(o);
  if (claim === undefined) throw new Error("No video is due.");
  return claim;
}
const listHere = async () =>
  (await queue().list({ limit: 1000 })).filter(({ path }) => path.startsWith(`${folder}/`));

it("gives each video to one of many workers that take at the same time", async () => {
  const videos = Array.from({ length: 12 }, (_, number) => makeVideo(`${folder}/${number}.mkv`));
  expect(await queue().enqueue(videos, normal)).toBe(12);
  const claims = await Promise.all(Array.from({ length: 20 }, () => take()));
  const paths = claims.flatMap((claim) => (claim === undefined ? [] : [claim.path]));
  expect(new Set(paths).size).toBe(paths.length);
  // A statement that races may find no row, but the next one does.
  for (let claim = await take(); claim !== undefined; claim = await take()) paths.push(claim.path);
  expect(paths.sort()).toEqual(videos.map(({ path }) => path).sort());
});

it("does not wait for a video that another worker takes at the same time", async () => {
  await queue().enqueue([makeVideo(`${folder}/a.mkv`), makeVideo(`${folder}/b.mkv`)], normal);
  const other = new pg.Client(databaseUrl);
  await other.connect();
  try {
    await other.query("BEGIN");
    await other.query(`SELECT 1 FROM "QueuedVideo" WHERE "path" = $1 FOR UPDATE`, [`${folder}/a.mkv`]);
    const limit = sleep(10_000, "waited", { ref: false });
    expect(await Promise.race([take(), limit])).toMatchObject({ path: `${folder}/b.mkv` });
  } finally {
    await other.end();
  }
});

it("takes the highest priority first, and only videos in the folders of the worker", async () => {
  await queue().enqueue([makeVideo(`${folder}/a.mkv`)], normal);
  await queue().enqueue([makeVideo(`${folder}/b.mkv`)], { ...normal, priority: 5 });
  await queue().enqueue([makeVideo(`${folder}-other/c.mkv`)], { ...normal, priority: 9 });
  expect([(await take())?.path, (await take())?.path, await take()]).toEqual([
    `${folder}/b.mkv`,
    `${folder}/a.mkv`,
    undefined,
  ]);
  expect(await queue().countOpen([folder])).toBe(2);
});

it("gives the video of a stopped worker to another one; its late outcome has no effect", async () => {
  await queue().enqueue([makeVideo(`${folder}/a.mkv`)], normal);
  const late = await takeOrThrow({ leaseSeconds: -1 });
  expect(await queue().renewTaken(late, { leaseSeconds: 60, progress: 0 })).toBe(false);
  expect((await listHere())[0]?.state).toBe("waiting");
  const claim = await takeOrThrow();
  expect(claim).toMatchObject({ path: late.path, attempts: 2 });
  await queue().complete(late);
  await queue().failAttempt(late, { problem: "late", retryAfterSeconds: undefined });
  expect(await listHere()).toMatchObject([{ state: "running", problem: null }]);
  expect(await queue().renewTaken(claim, { leaseSeconds: 60, progress: 0.25 })).toBe(true);
  expect(await listHere()).toMatchObject([{ state: "running", progress: 0.25 }]);
  await queue().complete(claim);
  expect(await listHere()).toEqual([]);
});

it("stops to offer a video on which each worker stopped", async () => {
  await queue().enqueue([makeVideo(`${folder}/a.mkv`)], normal);
  await takeOrThrow({ leaseSeconds: -1, maxAttempts: 2 });
  await takeOrThrow({ leaseSeconds: -1, maxAttempts: 2 });
  expect(await take({ maxAttempts: 2 })).toBeUndefined();
  const [video] = await listHere();
  expect(video).toMatchObject({ state: "dead", problem: expect.stringContaining("2 workers stopped") });
});

it("waits before the next attempt, and keeps a dead video until its file changes or a retry", async () => {
  const video = makeVideo(`${folder}/a.mkv`);
  await queue().enqueue([video], normal);
  await queue().failAttempt(await takeOrThrow(), { problem: "Away.", retryAfterSeconds: 30 });
  expect(await take()).toBeUndefined();
  const [waiting] = await listHere();
  expect(waiting).toMatchObject({ state: "waiting", attempts: 1, problem: "Away." });
  expect(waiting?.dueInSeconds).toBeGreaterThan(20);

  await queue().enqueue([video], normal);
  await queue().failAttempt(await takeOrThrow(), { problem: "Damaged.", retryAfterSeconds: undefined });
  expect(await queue().enqueue([video], normal)).toBe(0);
  expect(await take()).toBeUndefined();
  const [dead] = await listHere();
  expect(dead).toMatchObject({ state: "dead", problem: "Damaged." });
  expect(await queue().retryDead(randomUUID())).toBe(0);
  expect(await queue().retryDead(dead?.id)).toBe(1);
  const retried = await takeOrThrow();
  expect(retried.attempts).toBe(1);
  await queue().failAttempt(retried, { problem: "Damaged.", retryAfterSeconds: undefined });
  expect(await queue().enqueue([{ ...video, sizeBytes: 1001 }], normal)).toBe(1);
  expect((await take())?.path).toBe(video.path);
});

it("indexes a video again that was queued while it was running", async () => {
  await queue().enqueue([makeVideo(`${folder}/a.mkv`)], normal);
  const claim = await takeOrThrow();
  await queue().enqueue([makeVideo(`${folder}/a.mkv`)], { options: { title: "New" }, priority: 0 });
  expect(await take()).toBeUndefined();
  await queue().complete(claim);
  expect((await takeOrThrow()).options).toEqual({ title: "New" });
});

it("does not count an attempt of a video that a worker put back", async () => {
  await queue().enqueue([makeVideo(`${folder}/a.mkv`)], normal);
  await queue().putBack(await takeOrThrow(), { afterSeconds: 0 });
  expect((await takeOrThrow()).attempts).toBe(1);
});

it("lists the workers that serve previews of a video and have a recent heartbeat", async () => {
  const register = (previewAddress: string | undefined, folders: string[]) =>
    queue().registerWorker(`host:${folder}`, { previewAddress, folders });
  const ids = [
    await register("one:1", [`${folder}/anime/`, "/mnt"]),
    await register("two:1", [`${folder}/anime`]),
    await register("other:1", [`${folder}/an`]),
    await register(undefined, [folder]),
  ];
  const list = (seenWithinSeconds: number, limit = 9) =>
    queue().listPreviewAddresses(`${folder}/anime/a.mkv`, { seenWithinSeconds, limit });
  expect((await list(600)).sort()).toEqual(["one:1", "two:1"]);
  expect(await list(600)).toStrictEqual(await list(600));
  expect(await list(600, 1)).toHaveLength(1);
  expect(await list(0)).toEqual([]);
  for (const id of ids) await queue().removeWorker(id);
  expect(await list(600)).toEqual([]);
});
