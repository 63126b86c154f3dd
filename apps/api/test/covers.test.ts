import { randomUUID } from "node:crypto";
import { AnimeList } from "@koma/contract";
import { expect, test } from "vitest";
import { expectProblem } from "./fixtures/expect-problem.ts";
import { openTestLibrary } from "./fixtures/open-test-api.ts";
import { changeAnime } from "./fixtures/test-anime.ts";

const library = await openTestLibrary();
test("covers are served under the path that the anime has, beside studios and links", async () => {
  const { database } = library;
  const api = await library.openApi();
  const listAnime = async () => AnimeList.parse((await api.call("/api/anime?query=alpha")).body).items[0];
  const before = await listAnime();
  if (before === undefined) throw new Error("The test library has this anime.");
  expect(before.coverPath).toBeNull();
  const [stored] = await database.anime.findMany([before.id]);
  if (stored === undefined) throw new Error("The anime is stored.");
  const { id } = stored;
  const sourceUrl = `https://a.example/${randomUUID()}.jpg`;
  expect(before.links).toEqual([]);
  const known = { studios: ["Studio A"], links: [{ site: "Stream A", url: "https://stream.example/a" }] };
  await changeAnime(database.anime, stored, { coverUrl: sourceUrl, ...known });
  await database.covers.write({ animeId: id, sourceUrl }, Uint8Array.of(1, 2, 3));

  const { coverPath, coverUrl, studios, links } = (await listAnime()) ?? {};
  expect({ coverUrl, studios, links }).toEqual({ coverUrl: sourceUrl, ...known });
  expect(coverPath).toMatch(new RegExp(`^/previews/cover/${id}/[0-9a-f]{16}\\.webp$`));
  const cover = await api.call(coverPath ?? "");
  expect([cover.status, cover.headers.get("content-type"), [...cover.bytes]]).toEqual([
    200,
    "image/webp",
    [1, 2, 3],
  ]);
  expect(cover.headers.get("cache-control")).toContain("immutable");
  const unknown = await api.call(`/previews/cover/${id}/0123456789abcdef.webp`);
  expectProblem(unknown, "not_found");
  expect((await api.call(`/previews/cover/${id}/x.webp`)).status).toBe(400);

  // Other tests use the same anime.
  await library.query(`UPDATE "Anime" SET "coverVersion" = NULL WHERE "id" = $1`, [id]);
  await changeAnime(database.anime, stored, {});
});
