import { type ChildProcess, spawn } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { SearchResult } from "@koma/contract";
import { connectDatabase } from "@koma/database";
import { inspectIndex } from "@koma/library";
import { afterAll, beforeAll, expect, test } from "vitest";
import { drawVideo } from "./draw-video.ts";
import { createWorkplace, type Workplace } from "./koma.ts";
import { observe } from "./observe.ts";

const starter = fileURLToPath(new URL("../src/starter/main.ts", import.meta.url));

let workplace: Workplace;
beforeAll(async () => {
  workplace = await createWorkplace();
  await mkdir(workplace.path("films"));
  await drawVideo(workplace.path("films/Test Card - 01.mp4"), { source: "testsrc2", seconds: 6 });
  expect((await workplace.koma("index", "films")).code).toBe(0);
});
afterAll(() => workplace.remove());

test("the printed curl command works unchanged, a new video is found within seconds, and SIGTERM ends all with 0", async () => {
  const start = run(process.execPath, [starter]);
  const [, address] = await start.printed(/^ready on (http:\S+)$/m);
  const [, curl = ""] = await start.printed(/^ {2}(curl .*)$/m);
  const result = await run("sh", ["-c", `${curl} --silent`]).ended;
  expect(SearchResult.parse(JSON.parse(result.stdout)).matches[0]).toMatchObject({
    anime: { title: { romaji: "Test Card" } },
    isConfident: true,
  });

  await drawVideo(workplace.path("films/Apple Man - 01.mp4"), { source: "mandelbrot", seconds: 4 });
  expect((await workplace.koma("index", "films")).code).toBe(0);
  const titles = async () => JSON.stringify(await (await fetch(`${address}/api/anime?query=apple`)).json());
  await expect.poll(titles).toContain("Apple Man");

  start.child.kill("SIGTERM");
  expect((await start.ended).code).toBe(0);
  await expect(fetch(`${address}/healthz`)).rejects.toThrow();
});

test("the data of an episode of an earlier version are renewed in the background", async () => {
  const dataDir = workplace.path("data");
  const database = await connectDatabase({ dataDir });
  const { episodes } = database;
  const { modelId } = await inspectIndex(dataDir);
  const rows = await episodes.list();
  for (const { id, sizeBytes, modifiedAtMs, contentHash, durationSeconds, frameCount } of rows) {
    const stored = await episodes.readDescriptors(id, modelId);
    const claim = await episodes.claim(id, { owner: "test", leaseSeconds: 60 });
    if (stored === undefined || claim === undefined) throw new Error("The episode cannot be changed.");
    const setId = await episodes.stageDescriptors(claim, { modelId, ...stored, frameCount, version: 1 });
    const facts = { setId, sizeBytes, modifiedAtMs, contentHash: contentHash ?? "" };
    await episodes.publish(claim, { ...facts, durationSeconds: durationSeconds ?? 0 });
  }
  await database.close();
  const left = async () => {
    const { stdout } = await workplace.koma("library", "status", "--json");
    return JSON.parse(stdout).library.outdated;
  };
  expect(await left()).toBe(rows.length);
  const start = run(process.execPath, [starter]);
  await start.printed(/^ready on (http:\S+)$/m);
  await start.printed(/The stored data of \d episodes? are of an earlier version/);
  await expect.poll(left, { timeout: 120_000 }).toBe(0);
  start.child.kill("SIGTERM");
  expect((await start.ended).code).toBe(0);
});

test("a killed API restarts on the same data, and serves searches", async () => {
  const start = run(process.execPath, [starter]);
  const [, address = ""] = await start.printed(/^ready on (http:\S+)$/m);
  const [, curl = ""] = await start.printed(/^ {2}(curl .*)$/m);
  const [, pid] = await start.printed(/"pid":(\d+)/);
  process.kill(Number(pid), "SIGKILL");
  await start.printed(/The API ended \(SIGKILL\) and restarts in 1 s\./);
  await start.printed(new RegExp(`ready on ${address}\n[\\s\\S]*ready on ${address}\n`));
  const result = await run("sh", ["-c", `${curl} --silent`]).ended;
  // The curl line searches a frame of any indexed episode.
  expect(SearchResult.parse(JSON.parse(result.stdout)).matches[0]).toMatchObject({ isConfident: true });
  start.child.kill("SIGINT");
  expect((await start.ended).code).toBe(0);
});

test.each([
  ["KOMA_SMTP_URL", "https://mail.example"],
  ["KOMA_SECRET", "short"],
])("%s=%s ends npm start with 78 and the message", async (variable, value) => {
  const { code, stdout, stderr } = await run(process.execPath, [starter], { [variable]: value }).ended;
  expect([code, stdout]).toEqual([78, ""]);
  expect(stderr).toContain(variable);
  expect(stderr).not.toContain("restarts in");
});

function run(command: string, args: readonly string[], environment: Record<string, string> = {}) {
  const child: ChildProcess = spawn(command, args, {
    env: {
      ...process.env,
      KOMA_DATA_DIR: workplace.path("data"),
      DATABASE_URL: "",
      KOMA_SAMPLE_LIBRARY: "false",
      PORT: "0",
      HOST: "127.0.0.1",
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return observe(child);
}
