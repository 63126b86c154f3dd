import { chmod, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { prepareData, startApi } from "@koma/testing/start-koma";
import { afterAll, beforeAll, expect, test } from "vitest";
import { diagnose } from "../src/doctor/diagnose.ts";
import { createWorkplace } from "./koma.ts";

let data: Awaited<ReturnType<typeof prepareData>>;
let api: Awaited<ReturnType<typeof startApi>>;
let environment: Record<string, string>;
beforeAll(async () => {
  data = await prepareData();
  api = await startApi(data.dataDir);
  environment = { KOMA_DATA_DIR: data.dataDir, PORT: new URL(api.url).port };
});
afterAll(async () => {
  await api?.stop();
  await data?.remove();
});

test("a data folder with a running API has no problem, and the command changes no file", async () => {
  const workplace = await createWorkplace();
  try {
    const before = await listFiles(data.dataDir);
    const { code, stdout, stderr } = await workplace.run(["doctor"], environment);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^Status +Check +Found\n[\s\S]+\n\nNo problem\.\n$/);
    expect(await listFiles(data.dataDir)).toEqual(before);
  } finally {
    await workplace.remove();
  }
});

test("reports the database, the index, the secret and the port", async () => {
  const findings = await diagnose(environment);
  const detailOf = (check: string) => findings.filter((one) => one.check === check);
  expect(detailOf("database")).toEqual([
    { check: "database", status: "ok", detail: "Embedded; the schema is current." },
  ]);
  expect(detailOf("index")[0]).toMatchObject({
    detail: expect.stringMatching(/^\d+ searchable episodes/),
  });
  expect(detailOf("secret")).toMatchObject([{ status: "ok", detail: expect.stringMatching(/owner only/) }]);
  expect(detailOf("ports")).toMatchObject([
    { status: "ok", detail: expect.stringMatching(/^Koma responds at .* with [\d,]+ frames\.$/) },
  ]);
});

test("reports private files that other users can read", async () => {
  await chmod(join(data.dataDir, "secret"), 0o644);
  await chmod(join(data.dataDir, "bot-key"), 0o640);
  const problems = (await diagnose(environment)).filter(({ status }) => status === "problem");
  expect(problems.map(({ check }) => check)).toEqual(["secret", "bots"]);
  expect(problems[0]?.detail).toContain("chmod 600");
});

/** The files of a data folder with their sizes and times, without those of the running database. */
async function listFiles(dataDir: string): Promise<string[]> {
  const entries = await readdir(dataDir, { recursive: true });
  const names = entries.filter((name) => !/^(database|index)(\/|$)/.test(name)).sort();
  return await Promise.all(
    names.map(async (name) => {
      const facts = await stat(join(dataDir, name));
      return facts.isFile() ? `${name} ${facts.size} ${facts.mtimeMs}` : name;
    }),
  );
}
