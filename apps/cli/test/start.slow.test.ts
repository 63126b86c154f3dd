import { spawn } from "node:child_process";
import { chmod, copyFile, mkdir, readdir, stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { SearchResult } from "@koma/contract";
import { connectDatabase, type Database } from "@koma/database";
import { inspectIndex } from "@koma/library";
import { findTestVideo } from "@koma/sample-library/test-videos";
import { withoutHnswlib } from "@koma/testing/start-koma";
import { afterAll, beforeAll, expect, test } from "vitest";
import { diagnose } from "../src/doctor/diagnose.ts";
import { createWorkplace, type Workplace } from "./koma.ts";
import { observe } from "./observe.ts";

const starter = fileURLToPath(new URL("../src/starter/main.ts", import.meta.url));

let workplace: Workplace;
let start: ReturnType<typeof run>;
let address: string;
let curl: string;
let environment: Record<string, string>;
beforeAll(async () => {
  workplace = await createWorkplace();
  await mkdir(workplace.path("films"));
  await copyFile(findTestVideo("small card"), workplace.path("films/Test Card - 01.mp4"));
  // The embedded database would end with each command.
  const database = await connectDatabase({ dataDir: workplace.path("data") });
  try {
    expect((await workplace.koma("index", "films")).code).toBe(0);
    expect((await workplace.koma("bot", "key", "ensure")).code).toBe(0);
    await outdateData(database);
    expect(await countOutdated()).toBe(1);
    start = run(process.execPath, [starter]);
    address = (await start.printed(/^ready on (http:\S+)$/m))[1] ?? "";
  } finally {
    await database.close();
  }
  curl = (await start.printed(/^ {2}(curl .*)$/m))[1] ?? "";
  environment = { KOMA_DATA_DIR: workplace.path("data"), PORT: new URL(address).port };
});
afterAll(async () => {
  start?.child.kill("SIGTERM");
  await start?.ended;
  await workplace?.remove();
});

test("npm start renews the data of an earlier version in the background", async () => {
  await start.printed(/The stored data of 1 episode are of an earlier version/);
  await expect.poll(countOutdated, { timeout: 120_000 }).toBe(0);
});

test("the printed curl command works unchanged, and a new video is found within seconds", async () => {
  expect((await searchExample()).matches[0]).toMatchObject({
    anime: { title: { romaji: "Test Card" } },
    isConfident: true,
  });
  await copyFile(findTestVideo("small spiral"), workplace.path("films/Apple Man - 01.mp4"));
  expect((await workplace.koma("index", "films")).code).toBe(0);
  const titles = async () => JSON.stringify(await (await fetch(`${address}/api/anime?query=apple`)).json());
  await expect.poll(titles).toContain("Apple Man");
});

test("doctor finds no problem beside a running API, and changes no file", async () => {
  const before = await listFiles();
  const { code, stdout, stderr } = await workplace.run(["doctor"], environment);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^Status +Check +Found\n[\s\S]+\n\nNo problem\.\n$/);
  expect(await listFiles()).toEqual(before);
});

test("doctor reports the database, the index, the secret and the port", async () => {
  const findings = await diagnose(environment, ["database", "index", "secret", "ports"]);
  const detailOf = (check: string) => findings.filter((one) => one.check === check);
  expect(detailOf("database")).toEqual([
    { check: "database", status: "ok", detail: "Embedded; the schema is current." },
  ]);
  expect(detailOf("index")[0]).toMatchObject({
    detail: expect.stringMatching(/^\d+ searchable episodes?/),
  });
  expect(detailOf("secret")).toMatchObject([{ status: "ok", detail: expect.stringMatching(/owner only/) }]);
  expect(detailOf("ports")).toMatchObject([
    { status: "ok", detail: expect.stringMatching(/^Koma responds at .* with [\d,]+ frames\.$/) },
  ]);
});

test("doctor reports that hnswlib-node is not compiled", async () => {
  const variables = { ...environment, KOMA_INDEX: "hnsw", ...withoutHnswlib };
  const { code, stdout } = await workplace.start(["doctor"], variables).ended;
  expect(code).toBe(1);
  expect(stdout).toMatch(/problem +index +KOMA_INDEX=hnsw needs hnswlib-node, which is not compiled/);
});

test("a killed API restarts on the same data and serves searches; SIGTERM ends all with 0", async () => {
  const [, pid] = await start.printed(/"pid":(\d+)/);
  process.kill(Number(pid), "SIGKILL");
  await start.printed(/The API ended \(SIGKILL\) and restarts in 1 s\./);
  await start.printed(new RegExp(`ready on ${address}\n[\\s\\S]*ready on ${address}\n`));
  // The curl line searches a frame of any indexed episode.
  expect((await searchExample()).matches[0]).toMatchObject({ isConfident: true });
  start.child.kill("SIGTERM");
  expect((await start.ended).code).toBe(0);
  await expect(fetch(`${address}/healthz`)).rejects.toThrow();
});

test("doctor reports private files that other users can read", async () => {
  await chmod(workplace.path("data", "secret"), 0o644);
  await chmod(workplace.path("data", "bot-key"), 0o640);
  const findings = await diagnose(environment, ["secret", "bots"]);
  const problems = findings.filter(({ status }) => status === "problem");
  expect(problems.map(({ check }) => check)).toEqual(["secret", "bots"]);
  expect(problems[0]?.detail).toContain("chmod 600");
});

test("npm start ends with 78 and the message of an invalid configuration", async () => {
  const { code, stdout, stderr } = await run(process.execPath, [starter], { KOMA_SECRET: "short" }).ended;
  expect([code, stdout]).toEqual([78, ""]);
  expect(stderr).toContain("KOMA_SECRET");
  expect(stderr).not.toContain("restarts in");
});

async function searchExample() {
  const { stdout } = await run("sh", ["-c", `${curl} --silent`]).ended;
  return SearchResult.parse(JSON.parse(stdout));
}

/** Stores the data of all episodes as an earlier version did. */
async function outdateData({ episodes }: Database): Promise<void> {
  const { modelId } = await inspectIndex(workplace.path("data"));
  for (const episode of await episodes.list()) {
    const { id, sizeBytes, modifiedAtMs, contentHash, durationSeconds, frameCount } = episode;
    const stored = await episodes.readDescriptors(id, modelId);
    const claim = await episodes.claim(id, { owner: "test", leaseSeconds: 60 });
    if (stored === undefined || claim === undefined) throw new Error("The episode cannot be changed.");
    const setId = await episodes.stageDescriptors(claim, { modelId, ...stored, frameCount, version: 1 });
    const facts = { setId, sizeBytes, modifiedAtMs, contentHash: contentHash ?? "" };
    await episodes.publish(claim, { ...facts, durationSeconds: durationSeconds ?? 0 });
  }
}

async function countOutdated(): Promise<number> {
  const { stdout } = await workplace.koma("library", "status", "--json");
  return JSON.parse(stdout).library.outdated;
}

/** The files of the data folder with their sizes and times, without those of the running database. */
async function listFiles(): Promise<string[]> {
  const dataDir = workplace.path("data");
  const entries = await readdir(dataDir, { recursive: true });
  const names = entries.filter((name) => !/^(database|index)(\/|$)/.test(name)).sort();
  return await Promise.all(
    names.map(async (name) => {
      const facts = await stat(workplace.path("data", name));
      return facts.isFile() ? `${name} ${facts.size} ${facts.mtimeMs}` : name;
    }),
  );
}

function run(command: string, args: readonly string[], variables: Record<string, string> = {}) {
  const child = spawn(command, args, {
    env: {
      ...process.env,
      KOMA_DATA_DIR: workplace.path("data"),
      DATABASE_URL: "",
      KOMA_SAMPLE_LIBRARY: "false",
      PORT: "0",
      HOST: "127.0.0.1",
      ...variables,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return observe(child);
}
