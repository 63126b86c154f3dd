import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { withoutHnswlib } from "@koma/testing/start-koma";
import { afterEach, expect, inject, onTestFinished, test } from "vitest";
import { expectProblem } from "./fixtures/expect-problem.ts";
import { createTestClient, nextGuest, readImage } from "./fixtures/open-test-api.ts";
import { crashableFile, killProcesses, mainFile, startProcess } from "./fixtures/start-process.ts";

const settings = { KOMA_DATA_DIR: inject("dataDir"), KOMA_TRUSTED_PROXIES: "127.0.0.1" };
const start = (file: string, environment: Record<string, string> = {}) =>
  startProcess(file, { ...settings, ...environment });
afterEach(killProcesses);

const image = await readImage("Alpha Show 2.jpg");

test("a signal lets a process complete open requests, accept no new ones and end cleanly", async () => {
  const api = start(mainFile);
  const url = await api.ready;
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  const response = text(socket);
  const head = `--b\r\ncontent-disposition: form-data; name="image"\r\n\r\n`;
  const body = Buffer.concat([
    Buffer.from(head),
    Buffer.from(await image.arrayBuffer()),
    Buffer.from("\r\n--b--\r\n"),
  ]);
  socket.write(
    `POST /api/anime/search HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${nextGuest()}\r\n` +
      `content-type: multipart/form-data; boundary=b\r\ncontent-length: ${body.length}\r\n\r\n`,
  );
  socket.write(body.subarray(0, 1000));
  // Idle connections do not delay the exit.
  const idle = connect(Number(new URL(url).port), "127.0.0.1");
  await once(idle, "connect");
  await fetch(`${url}/healthz`);
  api.child.kill("SIGTERM");
  const isOpen = () =>
    fetch(`${url}/healthz`).then(
      () => true,
      () => false,
    );
  await expect.poll(isOpen).toBe(false);
  socket.write(body.subarray(1000));
  expect(await response).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*"matches":\[\{/);
  const respondedAtMs = performance.now();
  expect(await api.ended).toMatchObject({ code: 0, signal: null, stderr: "" });
  expect(performance.now() - respondedAtMs).toBeLessThan(8000);
});

test("logs the crash of the index, exits with 1, and reports not ready until then", async () => {
  const api = start(crashableFile);
  const url = await api.ready;
  // An unfinished upload keeps the process running for a while.
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.write("POST /api/anime/search HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n");
  socket.write("content-type: multipart/form-data; boundary=b\r\n\r\n--b\r\n");
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  expect(await isReady()).toBe(true);
  api.child.send("die");
  await expect.poll(isReady).toBe(false);
  socket.destroy();
  const { code, stderr } = await api.ended;
  expect(code).toBe(1);
  const lines = stderr
    .trimEnd()
    .split("\n")
    .filter((line) => !line.includes('"level":30'));
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ level: 60, msg: expect.stringMatching(/^Searches failed permanently/) }),
  ]);
});

test("reports a port in use, an invalid configuration and a missing ffmpeg in one sentence", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void other.close());
  await once(other, "listening");
  const address = other.address();
  const port = typeof address === "object" && address !== null ? String(address.port) : "";
  const taken = await start(mainFile, { PORT: port }).ended;
  expect(taken.code).toBe(78);
  expect(taken.stderr).toBe(
    `127.0.0.1:${port} is in use by another program. Stop it, or choose another PORT.\n`,
  );

  const bad = await start(mainFile, { PORT: "many", KOMA_TIME_ZONE: "Mars" }).ended;
  expect(bad.code).toBe(78);
  expect(bad.stderr.split("\n")).toHaveLength(4);

  const missing = await start(mainFile, { FFMPEG_PATH: "/nowhere/ffmpeg" }).ended;
  expect(missing.code).toBe(78);
  expect(missing.stderr).toMatch(/ffmpeg/);
  expect(missing.stderr).not.toMatch(/\n\s+at /);
});

test("ends with the remedy where KOMA_INDEX=hnsw is set and hnswlib-node is not compiled", async () => {
  const { code, stderr } = await start(mainFile, { KOMA_INDEX: "hnsw", ...withoutHnswlib }).ended;
  expect(code).toBe(78);
  expect(stderr).toMatch(/^KOMA_INDEX=hnsw .*`npm rebuild hnswlib-node .*python3, make and g\+\+.*\.\n$/);
});

test("reports that nothing is indexed, and ends with its database when its parent has ended", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "koma-empty-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const api = start(mainFile, { KOMA_DATA_DIR: dataDir });
  const client = createTestClient(await api.ready);
  const response = await client.search({ image });
  expectProblem(response, "not_ready");
  const ready = await client.call("/readyz");
  expectProblem(ready, "not_ready", { detail: "Nothing has been indexed yet." });
  api.child.disconnect();
  expect((await api.ended).code).toBe(0);
  // A service manager kills what is left of a service, and a PostgreSQL that is killed leaves its file.
  const files = await readdir(join(dataDir, "database", "postgresql-18"));
  expect(files).toContain("PG_VERSION");
  expect(files).not.toContain("postmaster.pid");
});
