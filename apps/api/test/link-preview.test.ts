import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SearchResult } from "@koma/contract";
import { sharp } from "@koma/image";
import { afterAll, expect, test } from "vitest";
import { openFakeApi } from "./fixtures/fake-library.ts";
import { openTestLibrary, readImage } from "./fixtures/open-test-api.ts";
import { createAnime } from "./fixtures/test-anime.ts";
import { confirmMatch } from "./fixtures/test-users.ts";

const html = '<!doctype html><head><base href="/" /></head><body></body>';

const library = await openTestLibrary();
const pageFolder = await mkdtemp(join(tmpdir(), "koma-page-"));
await writeFile(join(pageFolder, "index.html"), html);
const api = await library.openApi({ KOMA_BASE_URL: "https://koma.example/find" }, { pageFolder });
const { fake, find } = await openFakeApi(library);
afterAll(async () => {
  await rm(pageFolder, { recursive: true, force: true });
});

async function search(fields: Record<string, string> = {}) {
  const { body } = await api.search({ image: await readImage("Alpha Show 6.jpg"), ...fields });
  return SearchResult.parse(body);
}

const confirm = (found: SearchResult, rank?: number) => confirmMatch(api, found, rank);

/** Searches an image that shows a scene of another anime. */
async function searchOther(title: string, isAdult = false) {
  fake.show([await createAnime(library.database, title, { isAdult })]);
  return await find();
}

/** The page and the image of a search, as a service that creates link previews requests them. */
async function fetchPreview(id: string) {
  const headers = { "user-agent": "Twitterbot/1.0", accept: "text/html" };
  const page = await fetch(`${api.url}/search/${id}`, { headers });
  const image = await fetch(`${api.url}/previews/shared/${id}`, { headers });
  return {
    status: page.status,
    html: await page.text(),
    pageHeaders: readHeaders(page),
    image: {
      status: image.status,
      type: image.headers.get("content-type"),
      cache: readHeaders(image)["cache-control"],
    },
    bytes: Buffer.from(await image.arrayBuffer()),
  };
}

/** The headers of a response, without those that differ between all responses. */
function readHeaders(response: Response): Record<string, string> {
  const { date: _date, "x-request-id": _id, ...headers } = Object.fromEntries(response.headers);
  return headers;
}

function readTags(page: string): Record<string, string> {
  const tags = page.matchAll(/<meta property="([^"]+)" content="([^"]*)" \/>/g);
  return Object.fromEntries([...tags].map(([, name = "", content = ""]) => [name, content]));
}

test("the link of a confirmed public search has its scene and a still, which needs no signature", async () => {
  const found = await search();
  await confirm(found);
  const shared = await fetchPreview(found.id);
  expect(readTags(shared.html)).toEqual({
    "og:site_name": "Koma",
    "og:type": "website",
    "og:title": expect.stringMatching(/^Alpha Show, Episode \d+, \d+:\d\d$/),
    "og:description": "A scene that somebody found",
    "og:url": `https://koma.example/find/search/${found.id}`,
    "og:image": `https://koma.example/find/previews/shared/${found.id}`,
    "twitter:card": "summary_large_image",
  });
  expect(shared.image).toEqual({ status: 200, type: "image/jpeg", cache: "public, max-age=600" });
  expect((await sharp(shared.bytes).metadata()).format).toBe("jpeg");
});

test("all other searches have the page and the response of an unknown one", async () => {
  const unconfirmed = await search();
  const privateOne = await search({ isPublic: "false" });
  await confirm(privateOne);
  const rejected = await search();
  await confirm(rejected, 0);
  const withdrawn = await search();
  await confirm(withdrawn);
  await api.call(`/api/anime/searches/${withdrawn.id}/confirm?confirmToken=${withdrawn.confirmToken}`, {
    method: "DELETE",
  });
  const adult = await searchOther("Other Show", true);
  await confirm(adult);

  const { bytes: _bytes, ...unknown } = await fetchPreview("cmi8x2k4q0003");
  expect(unknown).toMatchObject({ status: 200, image: { status: 404 } });
  expect(readTags(unknown.html)).toEqual({
    "og:site_name": "Koma",
    "og:type": "website",
    "og:title": "Koma",
    "og:description": expect.stringContaining("Drop a screenshot"),
    "og:image": "https://koma.example/find/link-preview.png",
    "twitter:card": "summary_large_image",
  });
  for (const { id } of [unconfirmed, privateOne, rejected, withdrawn, adult]) {
    const { bytes: _other, ...preview } = await fetchPreview(id);
    expect(preview).toEqual(unknown);
  }
  expect(await (await fetch(`${api.url}/rankings`)).text()).toBe(unknown.html);
});

test("a title cannot add tags to the page", async () => {
  const found = await searchOther(`"><script>alert('$&')</script>`);
  await confirm(found);
  const { html: page } = await fetchPreview(found.id);
  expect(page).not.toContain("<script>");
  expect(readTags(page)["og:title"]).toContain("&#34;&#62;&#60;script&#62;alert(&#39;$&#38;&#39;)");
});

test("the page of a search is served while the database is unavailable", async () => {
  const searches = {
    ...library.database.searches,
    findListed: () => Promise.reject(new Error("The database is unavailable.")),
  };
  const away = await library.openApi({}, { pageFolder, database: { ...library.database, searches } });
  const response = await fetch(`${away.url}/search/cmi8x2k4q0003`);
  expect([response.status, await response.text()]).toEqual([200, await (await fetch(`${away.url}/`)).text()]);
});
