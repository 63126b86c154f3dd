import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createWorkplace, type Workplace } from "./koma.ts";

let workplace: Workplace;
beforeAll(async () => {
  workplace = await createWorkplace();
});
afterAll(() => workplace.remove());

test("two processes at once create one key of the bots on a new embedded database, and print none", async () => {
  const ensure = () => workplace.start(["bot", "key", "ensure"]).ended;
  const both = await Promise.all([ensure(), ensure()]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  expect(both.map(({ stdout, stderr }) => stdout + stderr).join()).not.toContain("koma_");
  const { stdout } = await workplace.koma("bot", "key", "list", "--json");
  const keys = stdout.trimEnd().split("\n");
  expect(keys).toHaveLength(1);
  const key = await readFile(workplace.path("data", "bot-key"), "utf8");
  expect(key).toContain(JSON.parse(keys[0] ?? "").start);
});
