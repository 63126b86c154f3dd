import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { expectProblem } from "./fixtures/expect-problem.ts";
import { nextGuest, openTestLibrary, type TestApi } from "./fixtures/open-test-api.ts";
import { openVideosFolder } from "./fixtures/open-videos-folder.ts";
import { sendHead } from "./fixtures/send-head.ts";
import { createSonarrEvents } from "./fixtures/sonarr-events.ts";

const token = "token-of-the-tests";

const library = await openTestLibrary();
const { folder, indexQueue, close } = await openVideosFolder(library);
afterAll(close);
await mkdir(join(folder, "media"));
const events = createSonarrEvents(join(folder, "media"));
const environment = { KOMA_LIBRARY_ROOTS: join(folder, "media"), KOMA_LIBRARY_TOKEN: token };
const api = await library.openApi(environment, { indexQueue });

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

test("a body without a right token is refused before it arrives, and others count as uploads", async () => {
  const { url } = await library.openApi({ ...environment, KOMA_UPLOAD_IDLE_SECONDS: "1" }, { indexQueue });
  const headers = { "content-type": "application/json" };
  for (const path of ["/api/webhooks/library", "/api/webhooks/library?token=wrong"]) {
    expect(await sendHead(url, path, headers)).toMatch(/^HTTP\/1\.1 401 /);
  }
  expect(await sendHead(url, "/api/webhooks/library", { ...headers, "x-koma-token": token })).toMatch(
    /^HTTP\/1\.1 408 /,
  );
});

test("other events have no effect", async () => {
  const { sonarr, episodes } = events;
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
    expectProblem(await send({ eventType: "Test" }, { headers }), "unauthenticated");
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
  const { download, importComplete, rename } = events;
  for (const path of paths) {
    for (const event of [download(path), importComplete(path), rename(path, "/x.mkv")]) {
      expectProblem(await send(event), "forbidden");
    }
  }
  const before = await send({ NotificationType: "ItemAdded" });
  expect((before.body as { videos: number }).videos).toBeLessThanOrEqual(2);
});

test.each(["{", "[]", "null", '{"eventType":5}', '{"eventType":"Download","episodeFile":{"path":""}}', "{}"])(
  "rejects %s",
  async (event) => {
    expectProblem(await send(event), "invalid_request");
  },
);

test("the endpoint does not exist without configured folders", async () => {
  const off = await library.openApi({}, { indexQueue });
  expectProblem(await send({ eventType: "Test" }, { at: off }), "not_found");
});
