import { copyFile, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  Anime,
  Indexing,
  OperatorAnimeList,
  OperatorEpisode,
  OperatorEpisodeList,
  QueuedVideos,
  RemovedCount,
} from "@koma/contract";
import { findTestVideo } from "@koma/sample-library/test-videos";
import { expect, onTestFinished, test } from "vitest";
import { expectProblem } from "./fixtures/expect-problem.ts";
import { openTestLibrary } from "./fixtures/open-test-api.ts";
import { openVideosFolder } from "./fixtures/open-videos-folder.ts";
import { signUpOperator } from "./fixtures/test-users.ts";

const library = await openTestLibrary();

/** An API with a folder of its own and the session of an operator. */
async function openAdministration(options: { isOff?: boolean } = {}) {
  const { folder, indexQueue, close } = await openVideosFolder(library);
  onTestFinished(close);
  const root = join(folder, "media");
  await mkdir(join(root, "Delta Show"), { recursive: true });
  const environment: Record<string, string> =
    options.isOff === true ? {} : { KOMA_LIBRARY_ROOTS: root, KOMA_LIBRARY_TOKEN: "token-of-the-tests" };
  const api = await library.openApi(environment, { indexQueue });
  const operator = await signUpOperator(api);
  const listAudit = () => library.listActions(operator.id);
  const draw = async (name: string) => {
    const path = join(root, "Delta Show", name);
    await copyFile(findTestVideo("spiral and card"), path);
    return path;
  };
  const stateOf = async (path: string) => (await library.database.episodes.findByPath(path))?.state;
  return { ...operator, root, folder, listAudit, draw, stateOf };
}

test("indexes a folder, edits its episode and anime, and removes them", { timeout: 300_000 }, async () => {
  const { root, get, post, remove, listAudit, draw, stateOf } = await openAdministration();
  const path = await draw("Delta Show - 01.mp4");
  const started = await post("/api/operator/indexing", { path: join(root, "Delta Show") });
  expect(started).toMatchObject({ status: 202, body: { videos: 1 } });
  await expect.poll(() => stateOf(path), { timeout: 120_000 }).toBe("ready");
  const readLastRun = async () => Indexing.parse(await get("/api/operator/indexing")).lastRun;
  await expect.poll(readLastRun, { timeout: 60_000 }).toMatchObject({ indexed: 1, failed: 0, problem: null });
  expect(await get("/api/operator/indexing")).toMatchObject({ folders: [root], waiting: 0, run: null });

  const findAnime = async (query: string) =>
    OperatorAnimeList.parse(await get(`/api/operator/anime?query=${encodeURIComponent(query)}`)).items;
  const [found] = await findAnime("delta SHOW");
  expect(found).toMatchObject({ episodes: { ready: 1, failed: 0 } });
  const animeId = found?.anime.id ?? "";
  for (const anything of ["%", "_"]) expect(await findAnime(anything)).toEqual([]);

  const edit = { titleRomaji: "Delta Shō", titleEnglish: null, titleNative: null, isAdult: true };
  const edited = await post(`/api/operator/anime/${animeId}`, edit);
  expect(Anime.parse(edited.body)).toMatchObject({ title: { romaji: "Delta Shō" }, isAdult: true });
  const untitled = await post(`/api/operator/anime/${animeId}`, { ...edit, titleRomaji: null });
  expectProblem(untitled, "invalid_request");

  const listEpisodes = async (filter: string) =>
    OperatorEpisodeList.parse(await get(`/api/operator/episodes?${filter}`)).items;
  const [episode] = await listEpisodes(`animeId=${animeId}`);
  const naming = { season: 2, number: "OVA 1", title: "A title" };
  const renamed = await post(`/api/operator/episodes/${episode?.id}`, naming);
  expect(OperatorEpisode.parse(renamed.body)).toMatchObject(naming);
  for (const bad of [{ season: -1 }, { number: "x".repeat(21) }, { title: "a\nb" }]) {
    const refused = await post(`/api/operator/episodes/${episode?.id}`, { ...naming, ...bad });
    expectProblem(refused, "invalid_request");
  }

  expect(await remove(`/api/operator/episodes/${episode?.id}`)).toMatchObject({ status: 204 });
  expect(await stateOf(path)).toBeUndefined();
  expectProblem(await remove(`/api/operator/episodes/${episode?.id}`), "not_found");
  // Without a path, all folders are indexed.
  expect(QueuedVideos.parse((await post("/api/operator/indexing")).body)).toEqual({ videos: 1 });
  await expect.poll(() => stateOf(path), { timeout: 120_000 }).toBe("ready");
  const removed = await remove(`/api/operator/anime/${animeId}`);
  expect(RemovedCount.parse(removed.body)).toEqual({ episodes: 1 });
  expect(await stateOf(path)).toBeUndefined();
  expect((await listAudit()).reverse()).toEqual([
    ...["library.index", "anime.edit", "episode.edit", "episode.remove", "library.index", "anime.remove"],
  ]);
});

test("a retried video keeps its edited number", { timeout: 300_000 }, async () => {
  const { get, post, draw, root, stateOf } = await openAdministration();
  const path = join(root, "Delta Show", "Delta Show - 02.mp4");
  await writeFile(path, "not a video");
  await post("/api/operator/indexing", { path });
  await expect.poll(() => stateOf(path), { timeout: 120_000 }).toBe("failed");
  // The test above renamed the anime.
  const { items } = OperatorEpisodeList.parse(await get("/api/operator/episodes?state=failed"));
  const episode = items.find(({ fileName }) => fileName === "Delta Show - 02.mp4");
  expect(episode).toMatchObject({ state: "failed", problem: expect.any(String) });
  await post(`/api/operator/episodes/${episode?.id}`, { season: null, number: "12", title: null });
  await draw("Delta Show - 02.mp4");
  const retried = await post(`/api/operator/episodes/${episode?.id}/retry`);
  expect(retried).toMatchObject({ status: 202, body: { videos: 1 } });
  await expect.poll(() => stateOf(path), { timeout: 120_000 }).toBe("ready");
  expect(await library.database.episodes.findByPath(path)).toMatchObject({ number: "12", problem: null });
});

test("merges an anime once, and keeps its id valid", async () => {
  const { post, listAudit } = await openAdministration();
  const { anime, episodes } = library.database;
  const wrong = await anime.findOrCreate({ key: "epsilon wrong", title: "Epsilon Wrong" });
  const right = await anime.findOrCreate({ key: "epsilon right", title: "Epsilon Right" });
  const file = { path: "/films/epsilon.mkv", fileName: "epsilon.mkv", sizeBytes: 1, modifiedAtMs: 1 };
  const naming = { animeId: wrong.id, season: null, number: "1", title: null };
  const { id } = await episodes.upsertPending({ ...file, ...naming });
  onTestFinished(async () => void (await library.library.remove({ ids: [id] })));
  for (let twice = 0; twice < 2; twice += 1) {
    const merged = await post(`/api/operator/anime/${wrong.id}/merge`, { intoId: right.id });
    expect(Anime.parse(merged.body).id).toBe(right.id);
  }
  expect((await episodes.find(id))?.animeId).toBe(right.id);
  expect(await listAudit()).toEqual(["anime.merge"]);
  const same = await post(`/api/operator/anime/${right.id}/merge`, { intoId: right.id });
  expectProblem(same, "invalid_request");
  const unknown = await post(`/api/operator/anime/${right.id}/merge`, { intoId: "unknown" });
  expectProblem(unknown, "not_found");
});

test("rejects folders outside of the configured ones, directly or through a link", async () => {
  const { root, folder, post, listAudit } = await openAdministration();
  await mkdir(join(folder, "outside"));
  await symlink(join(folder, "outside"), join(root, "link"));
  await mkdir(`${root}-2`);
  const paths = [
    ...[folder, join(folder, "outside"), join(root, "link"), `${root}/../outside`, `${root}-2`],
    ...["/", "relative", "..", join(root, "missing"), `${root}\0`],
  ];
  for (const path of paths) {
    // A missing path gets the same error as one outside.
    expect((await post("/api/operator/indexing", { path })).body, path).toMatchObject({
      code: "invalid_request",
      errors: [{ path: "path", message: `is no folder or video below ${root}` }],
    });
  }
  expect(await listAudit()).toEqual([]);
  for (const path of [root, join(root, "Delta Show"), `${root}/Delta Show/..`]) {
    expect(await post("/api/operator/indexing", { path }), path).toMatchObject({ status: 202 });
  }
  // A link inside of a folder is not followed, and hidden and unreadable folders are skipped.
  await writeFile(join(folder, "outside", "Outside - 01.mp4"), "x");
  await mkdir(join(root, ".hidden"));
  await writeFile(join(root, ".hidden", "Hidden - 01.mp4"), "x");
  await mkdir(join(root, "lost+found"), { mode: 0o000 });
  expect((await post("/api/operator/indexing")).body).toEqual({ videos: 0 });
});

test("says how to switch indexing on where no folders are configured", async () => {
  const { get, post } = await openAdministration({ isOff: true });
  expect(await get("/api/operator/indexing")).toMatchObject({ folders: [] });
  expectProblem(await post("/api/operator/indexing"), "not_found", {
    detail: expect.stringContaining("KOMA_LIBRARY_ROOTS"),
  });
});
