import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { takeFolderLock } from "../../src/local-server/folder-lock.ts";

let folder: string;
const children = new Set<ChildProcess>();

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "koma-lock-"));
});

afterEach(async () => {
  for (const child of children) child.kill("SIGKILL");
  children.clear();
  await rm(folder, { recursive: true });
});

function start(script: string, ...values: string[]): ChildProcess {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), values, { execArgv: ["--expose-gc"] });
  children.add(child);
  return child;
}

async function startHolder(): Promise<ChildProcess> {
  const holder = start("hold-lock.mjs", folder);
  await once(holder, "message");
  return holder;
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

it("locks a folder for one process until the process is killed", async () => {
  const holder = await startHolder();
  expect(await takeFolderLock(folder)).toBeUndefined();
  await kill(holder);
  const lock = await takeFolderLock(folder);
  expect(await takeFolderLock(folder)).toBeUndefined();
  expect(await lock?.isHeld()).toBe(true);
  await lock?.release();
  const again = await takeFolderLock(folder);
  expect(again).toBeDefined();
  await again?.release();
});

it("keeps the lock of a stopped process", async () => {
  const holder = await startHolder();
  holder.kill("SIGSTOP");
  for (let attempt = 0; attempt < 20; attempt++) expect(await takeFolderLock(folder)).toBeUndefined();
  holder.kill("SIGCONT");
});

it("locks a folder whose name is too long for a socket", async () => {
  const long = path.join(folder, "a".repeat(150));
  await mkdir(long);
  const lock = await takeFolderLock(long);
  expect(await takeFolderLock(long)).toBeUndefined();
  await lock?.release();
  const again = await takeFolderLock(long);
  expect(again).toBeDefined();
  await again?.release();
});

it("has one holder at any time while 20 processes compete and each holder is killed", {
  timeout: 300_000,
}, async () => {
  const takeovers = 60;
  const holders: ChildProcess[] = [];
  let mostAtOnce = 0;
  let taken = 0;
  const isDone = new Promise<void>((resolve, reject) => {
    const startRacer = () => {
      const racer = start("race-lock.mjs", folder);
      racer.on("error", reject);
      racer.on(
        "exit",
        (code, signal) =>
          signal !== "SIGKILL" && reject(new Error(`A competing process exited with ${code}.`)),
      );
      racer.on("message", async (message) => {
        if (message === "ready") return racer.send("go");
        holders.push(racer);
        mostAtOnce = Math.max(mostAtOnce, holders.length);
        // A second holder, if there is one, has time to report itself.
        await pause(taken % 3 === 0 ? 60 : 0);
        holders.splice(holders.indexOf(racer), 1);
        taken += 1;
        racer.kill("SIGKILL");
        if (taken === takeovers) resolve();
        else startRacer();
      });
    };
    for (let racer = 0; racer < 20; racer++) startRacer();
  });
  await isDone;
  expect(mostAtOnce).toBe(1);
  if (process.platform === "linux") {
    expect((await readdir(path.join(folder, "holders"))).length).toBeLessThan(60);
  }
});

describe.runIf(process.platform === "linux")("holder on another machine", () => {
  const inLatest = (file: string) => path.join(folder, "holders", "1", file);

  /** Creates the files of a holder of another kernel: a socket that rejects connections, and a record. */
  async function leaveTraces(): Promise<void> {
    await kill(await startHolder());
    const record = JSON.parse(await readFile(inLatest("holder.json"), "utf8"));
    await writeFile(inLatest("holder.json"), JSON.stringify({ ...record, bootId: "of another kernel" }));
  }

  it("keeps the lock while its heartbeat continues", async () => {
    await leaveTraces();
    let beat = 0;
    const timer = setInterval(() => void writeFile(inLatest("heartbeat"), `${++beat}`), 500);
    expect(await takeFolderLock(folder)).toBeUndefined();
    clearInterval(timer);
  });

  it("loses the lock after 7 s without heartbeat, as after a restart, and detects it", async () => {
    await leaveTraces();
    const startedMs = performance.now();
    const lock = await takeFolderLock(folder);
    expect(performance.now() - startedMs).toBeGreaterThan(6_900);
    expect(await lock?.isHeld()).toBe(true);
    await mkdir(path.join(folder, "holders", "3"));
    expect(await lock?.isHeld()).toBe(false);
    await lock?.release();
  });

  it("causes no delay after it released the lock", async () => {
    const lock = await takeFolderLock(folder);
    await lock?.release();
    expect(await readdir(path.join(folder, "holders", "1"))).toEqual(["released"]);
  });
});
