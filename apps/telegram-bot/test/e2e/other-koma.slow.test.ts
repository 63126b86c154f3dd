import { readFile } from "node:fs/promises";
import { readFrame } from "@koma/bot-core/testing/open-test-env";
import { prepareData, startApi } from "@koma/testing/start-koma";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestEnv, type TestEnv } from "../fixtures/test-env.ts";

let data: Awaited<ReturnType<typeof prepareData>>;
let other: Awaited<ReturnType<typeof startApi>>;
let testEnv: TestEnv;
beforeAll(async () => {
  data = await prepareData();
  other = await startApi(data.dataDir);
  testEnv = await openTestEnv({ api: { KOMA_UPSTREAMS: `koma+${other.url}` } });
});
afterAll(async () => {
  expect(testEnv.fake.violations).toEqual([]);
  await testEnv.close();
  await other.stop();
  await data.remove();
});

test("names the other Koma that knows an image, and searches alone when that one is gone", async () => {
  const person = testEnv.fake.createUser({ name: "Ann", language: "en" });
  const ask = async (photo: Uint8Array) => (await person.sends(person.direct, { photo })).reply();
  const found = await ask(await readFile(data.image));
  expect(found.text).toMatch(/^Iron Comet/);
  expect(found.text).toContain(new URL(other.url).host);
  await other.stop();
  expect((await ask(await readFrame("alpha", 3))).text).toMatch(/^Alpha Show/);
});
