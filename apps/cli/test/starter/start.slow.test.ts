import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import { checkAddress } from "../../src/starter/address.ts";
import { openDataFolder } from "../../src/starter/data-folder.ts";
import { createSandbox, isRunning, removePrepared, starter } from "./sandbox.ts";

let sandbox: Awaited<ReturnType<typeof createSandbox>>;
beforeEach(async () => {
  sandbox = await createSandbox();
});
afterEach(() => sandbox.remove());
afterAll(removePrepared);

const readPid = async () => Number(await sandbox.read("hanging.pid").catch(() => ""));

test("ends with the API when its own process is killed", async () => {
  const start = sandbox.start([], { PORT: "0" });
  await start.printed(/^ready on/m);
  const pid = await readPid();
  start.child.kill("SIGKILL");
  await start.ended;
  await expect.poll(() => isRunning(pid)).toBe(false);
  expect(await sandbox.calls()).toContain("api ended by disconnect");
});

test("ends koma prepare when its own process is killed", async () => {
  const start = sandbox.start([], { PORT: "0", FAKE_HANG: "prepare" });
  await expect.poll(readPid).toBeGreaterThan(0);
  const pid = await readPid();
  start.child.kill("SIGKILL");
  await start.ended;
  await expect.poll(() => isRunning(pid)).toBe(false);
  expect(await sandbox.calls()).toContain("koma ended by disconnect");
});

test("ends when the shell between npm and the starter is killed", async () => {
  const script = `"${process.execPath}" "${sandbox.path(starter)}"; true`;
  const shell = sandbox.spawn("sh", ["-c", script], { PORT: "0", npm_lifecycle_event: "start" });
  await shell.printed(/^ready on/m);
  shell.child.kill("SIGTERM");
  await shell.ended;
  expect(await sandbox.calls()).toContain("api ended by SIGTERM");
});

test("restarts a killed API at the same address after growing pauses, and prints the ready line again", async () => {
  const start = sandbox.start([], { PORT: "0", FAKE_API_EXITS: ",1" });
  const [, address = ""] = await start.printed(/^ready on (http:\S+)$/m);
  process.kill(await readPid(), "SIGKILL");
  await start.printed(/The API ended \(SIGKILL\) and restarts in 1 s\./);
  await start.printed(/The API ended \(code 1\) and restarts in 2 s\./);
  await start.printed(new RegExp(`ready on ${address}\n[\\s\\S]*ready on ${address}\n`));
  expect((await fetch(address)).status).toBe(200);
  start.child.kill("SIGTERM");
  const { code, stdout } = await start.ended;
  expect([code, stdout.match(/Ctrl-C stops Koma/g)]).toEqual([0, ["Ctrl-C stops Koma"]]);
});

test("ends with 78 on a configuration error of the API, also after a restart", async () => {
  const environment = { PORT: "0", FAKE_API_EXITS: "1,78" };
  const { code, stdout, stderr } = await sandbox.start([], environment).ended;
  expect([code, stdout]).toEqual([78, ""]);
  expect(stderr).toContain("api: the reason");
  expect((await sandbox.calls()).filter((call) => call === "api started")).toHaveLength(2);
});

test("ends at once when it is interrupted before a restart", async () => {
  const start = sandbox.start([], { PORT: "0", FAKE_API_EXITS: "1,1,1" });
  await start.printed(/restarts in 1 s\./);
  start.child.kill("SIGINT");
  await start.ended;
  expect((await sandbox.calls()).filter((call) => call === "api started")).toHaveLength(1);
});

test("ends after a clean exit of the API", async () => {
  const start = sandbox.start([], { PORT: "0" });
  await start.printed(/^ready on/m);
  process.kill(await readPid(), "SIGTERM");
  expect((await start.ended).code).toBe(0);
});

test("reports a port in use before any work", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const { code, stderr } = await sandbox.start([], { PORT: String(port) }).ended;
  server.close();
  expect(code).toBe(78);
  expect(stderr).toContain(`Port ${port} is taken by another program`);
  expect(await sandbox.calls()).toEqual([]);
});

test("of two simultaneous starts, one serves and the other reports it", async () => {
  const port = String(20_000 + (process.pid % 20_000));
  const starts = [1, 2].map(() => sandbox.start([], { PORT: port }));
  const loser = await Promise.race(starts.map((start) => start.ended));
  expect(loser).toMatchObject({
    code: 78,
    stderr: expect.stringContaining(`Port ${port} is taken by another`),
  });
  const winner = starts.find((start) => start.child.exitCode === null);
  await winner?.printed(/^ready on/m);
  winner?.child.kill("SIGTERM");
  expect((await winner?.ended)?.code).toBe(0);
  expect(await sandbox.calls()).toEqual(["koma prepare --json", "api started", "api ended by SIGTERM"]);
});

test("reads .env, and reports an invalid port in one sentence", async () => {
  await writeFile(sandbox.path(".env"), "PORT=8o\n");
  const { code, stderr } = await sandbox.start().ended;
  expect([code, stderr.trim()]).toEqual([78, expect.stringMatching(/^PORT is 8o, which is not a port: .*$/)]);
});

test("rejects addresses and data folders that it cannot use", async () => {
  await expect(checkAddress({ host: "203.0.113.7", port: 8000 })).rejects.toThrow("no address 203.0.113.7");
  await writeFile(sandbox.path("file"), "");
  for (const [folder, sentence] of [
    ["/proc/koma", "The data folder /proc/koma cannot be written"],
    ["file", "a file is in its place"],
  ] as const) {
    vi.stubEnv("KOMA_DATA_DIR", folder);
    expect(() => openDataFolder(sandbox.root)).toThrow(sentence);
  }
  vi.unstubAllEnvs();
});

test("reports why the preparation failed", async () => {
  const { code, stdout, stderr } = await sandbox.start([], { PORT: "0", FAKE_PREPARE_EXIT: "1" }).ended;
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain("koma: the reason");
});

test("npm run koma runs the command in the caller's folder, with nothing else on standard output", async () => {
  const environment = {
    npm_lifecycle_event: "koma",
    INIT_CWD: sandbox.path("packages"),
    FAKE_KOMA_EXIT: "1",
  };
  const command = ["--koma", "search", "--json", "a b.jpg"];
  const { code, stdout } = await sandbox.start(command, environment).ended;
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    args: ["search", "--json", "a b.jpg"],
    cwd: sandbox.path("packages"),
  });
});

test("rejects an unknown argument with the correct usage", async () => {
  const { code, stderr } = await sandbox.start(["search", "x.jpg"]).ended;
  expect([code, stderr]).toEqual([1, expect.stringContaining("`npm run koma -- search x.jpg`")]);
});

test("uses an installed Node from 24.3", async () => {
  for (const version of ["24.3.0", "26.0.0"])
    expect((await (await sandbox.runOn(version, ["true"])).ended).code).toBe(0);
  expect(existsSync(sandbox.path(".koma/runtime"))).toBe(false);
});
