import { randomUUID } from "node:crypto";
import { SharedQueue } from "@koma/contract";
import { expect, test } from "vitest";
import { openTestLibrary } from "./fixtures/open-test-api.ts";
import { signUpOperator } from "./fixtures/test-users.ts";

const library = await openTestLibrary();
/** An operator's requests, and a folder of videos that only this test queues. */
async function openQueue() {
  const api = await library.openApi();
  const operator = await signUpOperator(api);
  const folder = `/${randomUUID()}`;
  const queue = library.database.indexQueue;
  const queueVideos = (...names: string[]) =>
    queue.enqueue(
      names.map((name) => ({ path: `${folder}/${name}`, sizeBytes: 1, modifiedAtMs: 1 })),
      { options: {}, priority: 3 },
    );
  const take = async (workerId: string) => {
    const claim = await queue.take({ workerId, leaseSeconds: 60, maxAttempts: 5, folders: [folder] });
    if (claim === undefined) throw new Error("No video is due.");
    return claim;
  };
  const read = async (query = "") => SharedQueue.parse(await operator.get(`/api/operator/queue${query}`));
  return { ...operator, queue, folder, queueVideos, take, read };
}

test("shows workers with their progress, and videos by state", async () => {
  const { queue, folder, queueVideos, take, read } = await openQueue();
  const before = (await read()).counts;
  await queueVideos("a.mkv", "b.mkv", "c.mkv");
  const workerId = await queue.registerWorker(`host:${folder}`, { previewAddress: "host:1" });
  const running = await take(workerId);
  await queue.renewTaken(running, { leaseSeconds: 60, progress: 0.25 });
  await queue.failAttempt(await take(workerId), { problem: "Damaged.", retryAfterSeconds: undefined });
  await queue.beat(workerId, { videosDone: 2, failures: 1 });

  const shown = await read("?pageSize=100");
  expect(shown.counts).toEqual({
    waiting: before.waiting + 1,
    running: before.running + 1,
    failed: before.failed + 1,
  });
  expect(shown.total).toBe(shown.items.length);
  expect(shown.workers.find(({ name }) => name === `host:${folder}`)).toMatchObject({
    isAlive: true,
    videosDone: 2,
    failures: 1,
    hasPreviews: true,
    videos: [{ path: `${folder}/a.mkv`, progress: 0.25 }],
  });
  const video = { priority: 3, problem: null, worker: null, progress: null };
  expect(shown.items.filter(({ path }) => path.startsWith(folder))).toMatchObject([
    { ...video, state: "running", worker: `host:${folder}`, progress: 0.25, attempts: 1 },
    { ...video, state: "waiting", path: `${folder}/c.mkv`, attempts: 0 },
    { ...video, state: "failed", problem: "Damaged." },
  ]);
  const failed = await read("?state=failed&pageSize=100");
  expect(failed.items.every(({ state }) => state === "failed")).toBe(true);
  expect(failed.total).toBe(shown.counts.failed);
  const all = shown.items.map(({ id }) => id);
  expect((await read("?pageSize=2&page=2")).items.map(({ id }) => id)).toEqual(all.slice(2, 4));
  await queue.complete(running);
  await queue.removeWorker(workerId);
  expect((await read()).workers.map(({ name }) => name)).not.toContain(`host:${folder}`);
});

test("pauses, resumes and tries failed videos again, which the audit log names", async () => {
  const { queue, folder, queueVideos, take, id, read, post } = await openQueue();
  await queueVideos("a.mkv", "b.mkv", "c.mkv");
  for (const retryAfterSeconds of [undefined, undefined])
    await queue.failAttempt(await take("worker"), { problem: "Damaged.", retryAfterSeconds });
  expect((await post("/api/operator/queue", { isPaused: true })).status).toBe(204);
  expect((await read()).isPaused).toBe(true);
  await expect(take("worker")).rejects.toThrow("No video is due.");
  expect((await post("/api/operator/queue", { isPaused: false })).status).toBe(204);
  expect((await read()).isPaused).toBe(false);
  await queue.complete(await take("worker"));

  const isHere = ({ path }: { path: string }) => path.startsWith(folder);
  const [first] = (await read("?state=failed&pageSize=100")).items.filter(isHere);
  expect(await post("/api/operator/queue/retry", { id: first?.id })).toMatchObject({
    status: 200,
    body: { videos: 1 },
  });
  expect(await post("/api/operator/queue/retry", { id: first?.id })).toMatchObject({ status: 404 });
  const all = await post("/api/operator/queue/retry", {});
  expect((all.body as { videos: number }).videos).toBeGreaterThan(0);
  const items = (await read("?pageSize=100")).items.filter(isHere);
  expect(items.map(({ state }) => state)).toEqual(["waiting", "waiting"]);
  const retries = ["queue.retry", "queue.retry", "queue.retry"];
  expect(await library.listActions(id)).toEqual([...retries, "queue.resume", "queue.pause"]);
});
