import { type ChildProcess, spawn } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { SearchResult } from "@koma/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createWorkplace, drawFilm } from "./koma.ts";
import { observe } from "./observe.ts";

const starter = fileURLToPath(new URL("../start.mjs", import.meta.url));

let workplace: Awaited<ReturnType<typeof createWorkplace>>;
beforeAll(async () => {
  workplace = await createWorkplace();
  await mkdir(workplace.path("films"));
  await drawFilm(workplace.path("films/Test Card - 01.mp4"), { source: "testsrc2", seconds: 6 });
  expect((await workplace.koma("index", "films")).code).toBe(0);
});
afterAll(() => workplace.remove());

test("the real npm start: the curl line works as it stands, and SIGTERM ends everything with 0", async () => {
  const start = run(process.execPath, [starter]);
  const [, address] = await start.printed(/^ready on (http:\S+)$/m);
  const [, curl = ""] = await start.printed(/^ {2}(curl .*)$/m);
  const answer = await run("sh", ["-c", `${curl} --silent`]).ended;
  expect(SearchResult.parse(JSON.parse(answer.stdout)).matches[0]).toMatchObject({
    anime: { title: { romaji: "Test Card" } },
    isConfident: true,
  });
  start.child.kill("SIGTERM");
  expect((await start.ended).code).toBe(0);
  await expect(fetch(`${address}/healthz`)).rejects.toThrow();
});

test("a film indexed while it runs is found within seconds", async () => {
  const start = run(process.execPath, [starter]);
  const [, address = ""] = await start.printed(/^ready on (http:\S+)$/m);
  await drawFilm(workplace.path("films/Apple Man - 01.mp4"), { source: "mandelbrot", seconds: 4 });
  expect((await workplace.koma("index", "films")).code).toBe(0);
  const titles = async () => JSON.stringify(await (await fetch(`${address}/api/anime?query=apple`)).json());
  await expect.poll(titles, { timeout: 10_000 }).toContain("Apple Man");
  start.child.kill("SIGINT");
  expect((await start.ended).code).toBe(0);
});

function run(command: string, args: readonly string[]) {
  const child: ChildProcess = spawn(command, args, {
    env: {
      ...process.env,
      ...{ KOMA_DATA_DIR: workplace.path("data"), DATABASE_URL: "", KOMA_SAMPLE_LIBRARY: "false" },
      ...{ PORT: "0", HOST: "127.0.0.1" },
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return observe(child);
}
