import { mkdir, mkdtemp, rename as moveFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFfmpeg } from "@koma/library";
import { createRegistry } from "@koma/metrics";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createIndexQueue } from "../src/library-events/index-queue.ts";
import { createApiMetrics } from "../src/metrics/api-metrics.ts";
import { nextGuest, openTestLibrary, type TestApi } from "./fixtures/open-test-api.ts";
import { drawVideo, videos } from "./fixtures/videos.ts";

const token = "token-of-the-tests";

let library: Awaited<ReturnType<typeof openTestLibrary>>;
let queue: ReturnType<typeof createIndexQueue>;
let api: TestApi;
let folder: string;
beforeAll(async () => {
  library = await openTestLibrary();
  folder = await mkdtemp(join(tmpdir(), "koma-events-"));
  await mkdir(join(folder, "media", "Gamma Show"), { recursive: true });
  queue = createIndexQueue({
    library: library.library,
    metrics: createApiMetrics(createRegistry()).indexing,
    onLog: () => {},
  });
  api = await library.openApi(
    { KOMA_LIBRARY_ROOTS: join(folder, "media"), KOMA_LIBRARY_TOKEN: token },
    { indexQueue: queue },
  );
});
afterAll(async () => {
  await queue.close();
  const added = await library.query(`SELECT "id" FROM "Episode" WHERE "path" LIKE $1`, [`${folder}%`]);
  await library.library.remove({ ids: added.map(({ id }) => String(id)) });
  await library.close();
  await rm(folder, { recursive: true, force: true });
});

async function send(
  event: unknown,
  options: { headers?: Record<string, string>; path?: string; at?: TestApi } = {},
) {
  const { body, status } = await (options.at ?? api).call(options.path ?? "/api/webhooks/library", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-forwarded-for": nextGuest(),
      ...(options.headers ?? { "x-koma-token": token }),
    },
    body: typeof event === "string" ? event : JSON.stringify(event),
  });
  return { status, body };
}

// The fields that Sonarr 4 sends (NzbDrone.Core/Notifications/Webhook).
const sonarr = (eventType: string) => ({
  eventType,
  instanceName: "Sonarr",
  applicationUrl: "",
  series: { id: 1, title: "Gamma Show", path: join(folder, "media", "Gamma Show"), tvdbId: 5, tags: [] },
});
const episodeFile = (path: string) => ({
  id: 1,
  relativePath: "x",
  path,
  quality: "WEBDL-1080p",
  qualityVersion: 1,
  size: 5,
  dateAdded: "2026-01-02T03:04:05Z",
  languages: [{ id: 8, name: "Japanese" }],
  mediaInfo: { audioChannels: 2, videoCodec: "x264", audioLanguages: ["jpn"], width: 640, height: 360 },
});
const episodes = [{ id: 1, episodeNumber: 1, seasonNumber: 1, title: "One", seriesId: 1, tvdbId: 0 }];
/** "On File Import". */
const download = (path: string) => ({
  ...sonarr("Download"),
  episodes,
  episodeFile: { ...episodeFile(path), sourcePath: "/downloads/x.mkv" },
  isUpgrade: false,
  customFormatInfo: { customFormats: [], customFormatScore: 0 },
});
/** "On Import Complete", of several files. */
const importComplete = (...paths: string[]) => ({
  ...sonarr("Download"),
  episodes,
  episodeFiles: paths.map(episodeFile),
  fileCount: paths.length,
  sourcePath: "/downloads/x",
  destinationPath: join(folder, "media", "Gamma Show"),
});
const rename = (path: string, previousPath: string) => ({
  ...sonarr("Rename"),
  renamedEpisodeFiles: [{ ...episodeFile(path), previousRelativePath: "y", previousPath }],
});

test("Sonarr's import and rename events index the file, Jellyfin's new item event finds the others", {
  timeout: 300_000,
}, async () => {
  const tools = await findFfmpeg();
  const [first, second] = ["Gamma Show - 01.mp4", "Gamma Show - 02.mp4"].map((name) =>
    join(folder, "media", "Gamma Show", name),
  ) as [string, string];
  const [alpha] = videos;
  await drawVideo(tools, alpha, first);
  expect(await send(download(first))).toEqual({ status: 202, body: { videos: 1 } });
  const stateOf = async (path: string) => (await library.database.episodes.findByPath(path))?.state;
  await expect.poll(() => stateOf(first), { timeout: 120_000 }).toBe("ready");
  await drawVideo(tools, { ...alpha, scenes: [alpha.scenes[1], alpha.scenes[0]] as never }, second);
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
  const headers = { "x-koma-token": token, "content-type": "text/plain; charset=utf-8" };
  expect(await send(added, { headers })).toEqual({ status: 202, body: { videos: 2 } });
  await expect.poll(() => stateOf(second), { timeout: 120_000 }).toBe("ready");

  const renamed = join(folder, "media", "Gamma Show", "Gamma Show - S01E01.mp4");
  await moveFile(first, renamed);
  expect(await send(rename(renamed, first))).toEqual({ status: 202, body: { videos: 1 } });
  await expect.poll(() => stateOf(renamed), { timeout: 120_000 }).toBe("ready");
  expect(await stateOf(first)).toBeUndefined();
  expect(await send(importComplete(renamed, second))).toEqual({ status: 202, body: { videos: 2 } });
});

test("other events have no effect", async () => {
  const testEvent = {
    ...sonarr("Test"),
    series: { id: 1, title: "Test Title", path: "C:\\testpath" },
    episodes,
  };
  const others = [
    sonarr("constructor"),
    { ...sonarr("Grab"), episodes },
    { NotificationType: "PlaybackStart" },
  ];
  for (const event of [testEvent, ...others]) {
    expect(await send(event)).toEqual({ status: 202, body: { videos: 0 } });
  }
});

test("the token is required, in the header or in the address", async () => {
  for (const headers of [{}, { "x-koma-token": "wrong" }, { authorization: `Bearer ${token}` }]) {
    expect(await send({ eventType: "Test" }, { headers })).toMatchObject({
      status: 401,
      body: { code: "unauthenticated" },
    });
  }
  const path = `/api/webhooks/library?token=${token}`;
  expect(await send({ eventType: "Test" }, { headers: {}, path })).toMatchObject({ status: 202 });
});

test("rejects paths and links outside the folders", async () => {
  const outside = join(folder, "outside.mp4");
  await writeFile(outside, "x");
  const link = join(folder, "media", "link.mp4");
  await symlink(outside, link);
  const folderLink = join(folder, "media", "folder");
  await symlink(folder, folderLink);
  const paths = [
    ...[outside, link, join(folderLink, "outside.mp4"), `${folder}/media/../outside.mp4`],
    ...["relative.mp4", "/etc/passwd", join(folder, "media"), join(folder, "media", "missing.mp4"), "\0"],
  ];
  for (const path of paths) {
    for (const event of [download(path), importComplete(path), rename(path, "/x.mkv")]) {
      expect(await send(event), path).toMatchObject({ status: 403, body: { code: "forbidden" } });
    }
  }
  const before = await send({ NotificationType: "ItemAdded" });
  expect((before.body as { videos: number }).videos).toBeLessThanOrEqual(2);
});

test.each(["{", "[]", "null", '{"eventType":5}', '{"eventType":"Download","episodeFile":{"path":""}}', "{}"])(
  "rejects %s",
  async (event) => {
    expect(await send(event)).toMatchObject({ status: 400, body: { code: "invalid_request" } });
  },
);

test("the endpoint does not exist without configured folders", async () => {
  const off = await library.openApi({}, { indexQueue: queue });
  expect(await send({ eventType: "Test" }, { at: off })).toMatchObject({
    status: 404,
    body: { code: "not_found" },
  });
});
