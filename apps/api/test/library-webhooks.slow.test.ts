import { copyFile, mkdir, rename as moveFile } from "node:fs/promises";
import { join } from "node:path";
import { findTestVideo } from "@koma/sample-library/test-videos";
import { afterAll, expect, test } from "vitest";
import { openTestLibrary } from "./fixtures/open-test-api.ts";
import { openVideosFolder } from "./fixtures/open-videos-folder.ts";
import { createSonarrEvents } from "./fixtures/sonarr-events.ts";

const token = "token-of-the-tests";

const library = await openTestLibrary();
const { folder, indexQueue, close } = await openVideosFolder(library);
afterAll(close);
await mkdir(join(folder, "Gamma Show"));
const environment = { KOMA_LIBRARY_ROOTS: folder, KOMA_LIBRARY_TOKEN: token };
const api = await library.openApi(environment, { indexQueue });

async function send(event: unknown, contentType = "application/json") {
  const headers = { "content-type": contentType, "x-koma-token": token };
  const { body, status } = await api.call("/api/webhooks/library", {
    method: "POST",
    headers,
    body: JSON.stringify(event),
  });
  return { status, body };
}

test("Sonarr's import and rename events index the file, Jellyfin's new item event finds the others", {
  timeout: 300_000,
}, async () => {
  const { download, importComplete, rename } = createSonarrEvents(folder);
  const pathOf = (name: string) => join(folder, "Gamma Show", name);
  const [first, second, renamed] = ["01", "02", "S01E01"].map((number) =>
    pathOf(`Gamma Show - ${number}.mp4`),
  ) as [string, string, string];
  await copyFile(findTestVideo("small spiral"), first);
  expect(await send(download(first))).toEqual({ status: 202, body: { videos: 1 } });
  const stateOf = async (path: string) => (await library.database.episodes.findByPath(path))?.state;
  await expect.poll(() => stateOf(first), { timeout: 120_000 }).toBe("ready");
  await copyFile(findTestVideo("small card"), second);
  const added = {
    ServerId: "0",
    ServerName: "media",
    ServerVersion: "10.11.0",
    NotificationType: "ItemAdded",
    Name: "Two",
    ItemType: "Episode",
    SeriesName: "Gamma Show",
    SeasonNumber: 1,
    EpisodeNumber: 2,
    Provider_tvdb: "5",
    Video_0_Type: "Video",
  };
  // The plugin's own content type, when no other is configured.
  expect(await send(added, "text/plain; charset=utf-8")).toEqual({ status: 202, body: { videos: 2 } });
  await expect.poll(() => stateOf(second), { timeout: 120_000 }).toBe("ready");

  await moveFile(first, renamed);
  expect(await send(rename(renamed, first))).toEqual({ status: 202, body: { videos: 1 } });
  await expect.poll(() => stateOf(renamed), { timeout: 120_000 }).toBe("ready");
  expect(await stateOf(first)).toBeUndefined();
  expect(await send(importComplete(renamed, second))).toEqual({ status: 202, body: { videos: 2 } });
});
