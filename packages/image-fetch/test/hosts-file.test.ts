import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isHostsName } from "../src/hosts-file.ts";

let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "koma-hosts-"));
  file = join(folder, "hosts");
  await writeFile(
    file,
    "127.0.0.1\tlocalhost\n# 10.0.0.9 remark.example\n10.0.0.5  Database.Example database # first.example\r\n",
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each(["database.example", "DATABASE.example.", "database", "localhost"])("finds %s", async (name) => {
  expect(await isHostsName(name, file)).toBe(true);
});

test.each(["remark.example", "first.example", "abase.example", "10.0.0.5", "example", ""])(
  "does not find %s",
  async (name) => {
    expect(await isHostsName(name, file)).toBe(false);
  },
);

test("finds no names on a machine without the file", async () => {
  expect(await isHostsName("database.example", join(folder, "none"))).toBe(false);
});
