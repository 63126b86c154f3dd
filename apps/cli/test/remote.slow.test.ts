import { copyFile, writeFile } from "node:fs/promises";
import { createKey, prepareData, startApi } from "@koma/testing/start-koma";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createWorkplace, type Workplace } from "./koma.ts";

let data: Awaited<ReturnType<typeof prepareData>>;
let api: Awaited<ReturnType<typeof startApi>>;
let workplace: Workplace;
let key: string;
beforeAll(async () => {
  data = await prepareData();
  api = await startApi(data.dataDir, { KOMA_FREE_CREDITS_PER_DAY: "2", KOMA_GUEST_SEARCHES_PER_DAY: "1" });
  workplace = await createWorkplace();
  await copyFile(data.image, workplace.path("frame.jpg"));
  await writeFile(workplace.path("text.jpg"), "this is not an image");
  key = await createKey(api.url);
}, 300_000);
afterAll(async () => {
  await workplace?.remove();
  await api?.stop();
  await data?.remove();
});

const search = (args: readonly string[], environment: Record<string, string> = {}) =>
  workplace.run(["search", ...args], { KOMA_API_URL: api.url, ...environment });
const readLines = (stdout: string) =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

test("searches the remote Koma with a personal key, which is charged", async () => {
  const { code, stdout } = await search(["--json", "-n", "1", "frame.jpg", "text.jpg"], {
    KOMA_API_KEY: key,
  });
  const [found, failed] = readLines(stdout);
  expect(found).toMatchObject({ query: "frame.jpg", matches: [{ rank: 1, isConfident: true }] });
  expect(found.matches).toHaveLength(1);
  expect(found.matches[0].videoUrl).toContain(`${api.url}/previews/clip/`);
  expect(failed).toMatchObject({ query: "text.jpg", error: { code: "unsupported_image_type" } });
  expect(code).toBe(1);
  const quota = await fetch(`${api.url}/api/anime/quota`, { headers: { authorization: `Bearer ${key}` } });
  expect(await quota.json()).toMatchObject({ kind: "credits", remaining: 1 });
});

test("searches in one anime by its title", async () => {
  const { code, stdout } = await search(["--json", "--anime", "Paper Boats", "frame.jpg"], {
    KOMA_API_KEY: key,
  });
  expect(code).toBe(0);
  const [{ matches }] = readLines(stdout);
  const titles = matches.map((match: { anime: { title: { romaji: string } } }) => match.anime.title.romaji);
  expect(new Set(titles).size).toBeLessThanOrEqual(1);
});

test("prints the errors of the remote Koma", async () => {
  const invalid = await search(["--json", "frame.jpg"], { KOMA_API_KEY: "x" });
  expect([invalid.code, readLines(invalid.stdout)]).toMatchObject([
    1,
    [{ error: { code: "invalid_api_key" } }],
  ]);
  const unreachable = await search(["frame.jpg"], { KOMA_API_URL: "http://127.0.0.1:1" });
  expect([unreachable.code, unreachable.stderr]).toEqual([
    1,
    "koma: KOMA_API_URL: The API cannot be reached.\n",
  ]);
});

test("`koma bot key create` creates a key that may act for chat users", async () => {
  const args = ["bot", "key", "create", "--title", "Host", "--days", "30", "--json"];
  const created = JSON.parse((await workplace.run(args, { KOMA_DATA_DIR: data.dataDir })).stdout);
  expect(created).toMatchObject({ title: "Host" });
  expect(Date.parse(created.expiresAt) - Date.parse(created.createdAt)).toBe(30 * 86_400_000);
  const asChatUser = async (secret: string) => {
    const headers = { authorization: `Bearer ${secret}`, "x-koma-chat-user": "discord:1" };
    return (await fetch(`${api.url}/api/anime/quota`, { headers })).status;
  };
  expect(await asChatUser(created.key)).toBe(200);
  expect(await asChatUser(key)).toBe(403);
});
