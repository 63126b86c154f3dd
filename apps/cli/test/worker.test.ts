import { mkdir } from "node:fs/promises";
import { afterAll, expect, test } from "vitest";
import { createServerWorkplace } from "./koma.ts";

const workplace = await createServerWorkplace();
await mkdir(workplace.path("videos"));
afterAll(() => workplace.remove());

test("wrong roots end the worker at start", async () => {
  const [videos, mounted] = [workplace.path("videos"), workplace.path("videos", "mounted")];
  await mkdir(mounted);
  const cases = [
    { roots: ["/mnt/anime"], code: 2, message: "QUEUED=LOCAL" },
    { roots: [`mnt=${videos}`], code: 1, message: "not absolute" },
    { roots: ["/mnt/anime=videos"], code: 1, message: "not absolute" },
    { roots: ["/mnt/anime=/nowhere/at-all"], code: 1, message: "/nowhere/at-all of a root does not exist" },
    { roots: [`/mnt=${videos}`, `/mnt/anime=${workplace.folder}`], code: 1, message: "overlap" },
    { roots: [`/a=${videos}`, `/b=${mounted}`], code: 1, message: "overlap" },
  ];
  for (const { roots, code, message } of cases) {
    const args = roots.flatMap((root) => ["--root", root]);
    const run = await workplace.koma("worker", "--drain", ...args);
    expect([roots, run.code]).toEqual([roots, code]);
    expect(run.stderr).toContain(message);
  }
});

test("--serve needs roots, a database and the secret of the API", async () => {
  const root = ["--root", `/mnt=${workplace.folder}`];
  const serve = [...root, "--serve", "127.0.0.1:0"];
  const cases = [
    { args: ["--serve", "127.0.0.1:0"], code: 2, message: "--serve needs --root" },
    { args: [...root, "--serve", "here"], code: 2, message: "HOST:PORT" },
    { args: [...root, "--serve", "127.0.0.1:70000"], code: 2, message: "HOST:PORT" },
    { args: serve, code: 1, message: "--serve needs KOMA_SECRET" },
    { args: serve, variables: { DATABASE_URL: "" }, code: 1, message: "--serve needs DATABASE_URL" },
  ];
  for (const { args, variables, code, message } of cases) {
    const run = await workplace.run(["worker", "--drain", ...args], variables);
    expect([args, run.code, run.stderr]).toEqual([args, code, expect.stringContaining(message)]);
  }
});
