import { mkdir, readdir, stat, truncate, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { afterAll, expect, test } from "vitest";
import { diagnose } from "../src/doctor/diagnose.ts";
import { createWorkplace, expectOutput } from "./koma.ts";

const sizes = {
  "data/previews/one.jpg": 2_000_000,
  "data/index/index.json": 3_000_000,
  "data/stills/a.stills": 4_000_000,
  "data/backups/b.koma": 5_000_000,
  "data/database/postgresql-18/base/1": 6_000_000,
};
const workplace = await createWorkplace();
for (const [name, bytes] of Object.entries(sizes)) {
  await mkdir(dirname(workplace.path(name)), { recursive: true });
  await writeFile(workplace.path(name), "");
  await truncate(workplace.path(name), bytes);
}
afterAll(() => workplace.remove());

test("`koma doctor` says what the parts of the data folder take", async () => {
  const findings = await diagnose({ KOMA_DATA_DIR: workplace.path("data"), PORT: "0" }, ["disk"]);
  expect(findings.map(({ detail }) => detail).join("\n")).toMatch(
    /database 6\.0 MB, stills 4\.0 MB, index cache 3\.0 MB, previews 2\.0 MB, backups 5\.0 MB/,
  );
});

test("`koma clean` shows what is made again, and deletes nothing else with --yes", async () => {
  const shown = await workplace.koma("clean");
  expect(shown).toMatchObject({ code: 0, stderr: "" });
  expect(shown.stdout).toMatch(/previews +2\.0 MB/);
  expect(shown.stdout).toMatch(/index cache +3\.0 MB/);
  for (const name of Object.keys(sizes)) await stat(workplace.path(name));

  expectOutput(await workplace.koma("clean", "--yes"), /MB deleted\.\n$/);
  expect(await readdir(workplace.path("data/previews"))).toEqual([]);
  expect(await readdir(workplace.path("data/index"))).toEqual([]);
  for (const name of ["stills/a.stills", "backups/b.koma", "database/postgresql-18/base/1"])
    await stat(workplace.path(`data/${name}`));
});
