import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { createWorkplace } from "./koma.ts";
import { observe } from "./observe.ts";

const launcher = fileURLToPath(new URL("../bin/koma", import.meta.url));

const workplace = await createWorkplace();
afterAll(() => workplace.remove());

test.each([
  [["version", "--json"], {}, 0, /"koma":"\d/, ""],
  [["library", "list"], { PORT: "x" }, 78, "", /^koma: .*\n +PORT .*\n$/],
] as const)("the program koma ends %j %j with %i", async (args, environment, code, stdout, stderr) => {
  const child = spawn(launcher, args, {
    cwd: workplace.folder,
    env: { ...process.env, KOMA_DATA_DIR: workplace.path("data"), DATABASE_URL: "", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = await observe(child).ended;
  expect(ended.code).toBe(code);
  const matching = (expected: string | RegExp) =>
    typeof expected === "string" ? expected : expect.stringMatching(expected);
  expect(ended).toMatchObject({ stdout: matching(stdout), stderr: matching(stderr) });
});
