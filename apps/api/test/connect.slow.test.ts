import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { nextGuest, openTestLibrary, readImage } from "./fixtures/open-test-api.ts";
import { makeKey, signUp } from "./fixtures/test-users.ts";

const run = promisify(execFile);
const [hasMpv, hasPython] = await Promise.all(["mpv", "python3"].map(isInstalled));

const library = await openTestLibrary();
const api = await library.openApi({ KOMA_FREE_CREDITS_PER_DAY: "100" });
const key = (await makeKey(api, await signUp(api))).key;
const folder = await mkdtemp(join(tmpdir(), "koma-connect-"));
const image = await readImage("Alpha Show 2.jpg");
await writeFile(join(folder, "frame.jpg"), Buffer.from(await image.arrayBuffer()));
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function post(path: string, fields: Record<string, string>): Promise<string> {
  const headers = { "x-forwarded-for": nextGuest() };
  const body = new URLSearchParams(fields);
  return await (await fetch(`${api.url}${path}`, { method: "POST", body, headers })).text();
}

const decode = (html: string) => html.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));

describe("programs that /connect describes", () => {
  test("the curl command (needs curl) finds the scene", async () => {
    const page = decode(await post("/connect", { key }));
    const command = /<pre[^>]*>(curl .*)<\/pre>/.exec(page)?.[1] ?? "";
    const { stdout } = await run("sh", ["-c", `${command} -s`], { cwd: folder });
    expect(JSON.parse(stdout).matches[0].anime.title.romaji).toBe("Alpha Show");
  });

  test.runIf(hasPython)("the Python example (needs python3) finds the scene and prints errors", async () => {
    await writeFile(join(folder, "koma.py"), await post("/connect/koma.py", { key }));
    const { stdout } = await run("python3", ["koma.py", "frame.jpg"], { cwd: folder });
    expect(stdout).toMatch(/^Alpha Show\tepisode 1\t[12]\.\d s\t\d+\.\d%\n/);
    const failed = await run("python3", ["koma.py", "koma.py"], { cwd: folder }).catch((error) => error);
    expect(failed.stderr).toMatch(/\w+.*\.\n$/);
    expect(failed.stderr).not.toContain("Traceback");
  });

  test.runIf(hasMpv)(
    "the mpv script (needs mpv) searches the current frame and jumps to the result",
    { timeout: 120_000 },
    async () => {
      await writeFile(join(folder, "koma.lua"), await post("/connect/koma.lua", { key }));
      const [episode] = (await library.query(`SELECT "path" FROM "Episode" WHERE "path" LIKE '%Alpha%'`)) as {
        path: string;
      }[];
      const socketPath = join(folder, "mpv.sock");
      const mpv = spawn("mpv", [
        ...["--no-config", "--vo=null", "--ao=null", "--pause", "--start=6", "--idle=yes", "--keep-open=yes"],
        ...[`--input-ipc-server=${socketPath}`, `--script=${join(folder, "koma.lua")}`, episode?.path ?? ""],
      ]);
      let output = "";
      mpv.stdout.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
      onTestFinished(() => {
        mpv.kill();
      });
      const send = async (command: unknown[]): Promise<Record<string, unknown>> => {
        const socket = connect(socketPath);
        try {
          socket.write(`${JSON.stringify({ command, request_id: 1 })}\n`);
          let received = "";
          for await (const chunk of socket) {
            received += chunk;
            const line = received.split("\n").find((one) => one.includes('"request_id":1'));
            if (line !== undefined) return JSON.parse(line);
          }
          throw new Error("mpv closed the connection.");
        } finally {
          socket.destroy();
        }
      };
      const atSeconds = async () =>
        (await send(["get_property", "time-pos"]).catch(() => ({ data: undefined }))).data;
      await expect.poll(atSeconds, { timeout: 60_000 }).toBeCloseTo(6, 0);
      // A screenshot needs the first frame on the output.
      await expect.poll(() => output, { timeout: 60_000 }).toContain("VO: [null]");
      await send(["script-binding", "koma-search"]);
      await expect.poll(() => output, { timeout: 60_000 }).toMatch(/Alpha Show, episode 1, 0:0\d \(\d+ %\)/);
      await send(["seek", 0, "absolute+exact"]);
      await expect.poll(atSeconds, { timeout: 60_000 }).toBeCloseTo(0, 0);
      await send(["script-binding", "koma-jump"]);
      await expect.poll(atSeconds, { timeout: 60_000 }).toBeGreaterThan(4);
    },
  );
});

/** In CI a missing program is an error. */
async function isInstalled(program: string): Promise<boolean> {
  const runs = run(program, ["--version"]).then(
    () => true,
    () => false,
  );
  return Boolean(process.env.CI) || runs;
}
