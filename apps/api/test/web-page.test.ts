import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { openTestLibrary } from "./fixtures/open-test-api.ts";

const html = '<!doctype html><base href="/" /><script type="module" src="./assets/a-1.js"></script>';
const script = "export const answer = 42;";

const library = await openTestLibrary();
const pageFolder = await mkdtemp(join(tmpdir(), "koma-page-"));
await mkdir(join(pageFolder, "assets"));
await writeFile(join(pageFolder, "index.html"), html);
await writeFile(join(pageFolder, "assets/a-1.js"), script);
await writeFile(join(pageFolder, "assets/a-1.js.gz"), gzipSync(script));
await writeFile(join(pageFolder, "secret.txt"), "not of the page");
const { url } = await library.openApi({}, { pageFolder });
afterAll(async () => {
  await rm(pageFolder, { recursive: true, force: true });
});

test("serves the page at its addresses only, under a strict policy", async () => {
  for (const path of ["/", "/rankings", "/search/abc-1", "/device?code=BCDF-GHJK", "/account/"]) {
    const response = await fetch(`${url}${path}`);
    expect([path, response.status, await response.text()]).toEqual([path, 200, html]);
    const policy = response.headers.get("content-security-policy");
    expect(policy).toContain("default-src 'self'");
    expect(policy).not.toContain("unsafe");
    expect(response.headers.get("cache-control")).toBe("no-cache");
  }
  for (const path of [
    "/nothing",
    "/search",
    "/search/a/b",
    "/index.html",
    "/secret.txt",
    "/assets/",
    "/assets/..%2findex.html",
  ]) {
    const response = await fetch(`${url}${path}`);
    expect([path, response.status]).toEqual([path, 404]);
    expect(await response.json()).toMatchObject({ code: "not_found" });
  }
  const { headers } = await fetch(`${url}/`);
  const again = await fetch(`${url}/`, { headers: { "if-none-match": headers.get("etag") ?? "" } });
  expect(again.status).toBe(304);
});

test("an unknown path is a page for browsers and a problem for programs", async () => {
  const browser = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
  const page = await fetch(`${url}/nothing`, { headers: browser });
  expect([page.status, await page.text()]).toEqual([404, html]);
  expect(page.headers.get("content-security-policy")).toContain("default-src 'self'");
  for (const path of ["/api/nothing", "/previews/nothing"]) {
    const response = await fetch(`${url}${path}`, { headers: browser });
    expect([path, response.status, await response.json()]).toMatchObject([path, 404, { code: "not_found" }]);
  }
});

test("robots.txt excludes the API and the pages of accounts, with the path prefix", async () => {
  const { url } = await library.openApi({ KOMA_BASE_URL: "https://koma.example/find" }, { pageFolder });
  const rules = await (await fetch(`${url}/robots.txt`)).text();
  expect(rules.split("\n")).toEqual(
    expect.arrayContaining(["User-agent: *", "Disallow: /find/api/", "Disallow: /find/account"]),
  );
});

test("files are cached permanently, and compressed for clients that accept it", async () => {
  const plain = await fetch(`${url}/assets/a-1.js`, { headers: { "accept-encoding": "gzip;q=0, br" } });
  expect(plain.headers.get("content-encoding")).toBeNull();
  expect(await plain.text()).toBe(script);
  expect(plain.headers.get("cache-control")).toContain("immutable");
  expect(plain.headers.get("vary")).toContain("accept-encoding");
  const small = await fetch(`${url}/assets/a-1.js`, { headers: { "accept-encoding": "gzip" } });
  expect(small.headers.get("content-encoding")).toBe("gzip");
  // `fetch` decompresses the response.
  expect(await small.text()).toBe(script);
});

test("the page's own addresses include the path prefix", async () => {
  const { url } = await library.openApi({ KOMA_BASE_URL: "https://koma.example/find" }, { pageFolder });
  for (const path of ["/find", "/find/", "/find/rankings", "/rankings", "/find?purchase=done"]) {
    expect(await (await fetch(`${url}${path}`)).text()).toContain('<base href="/find/" />');
  }
  expect((await fetch(`${url}/find/assets/a-1.js`)).status).toBe(200);
});

test("the API works without a built page", async () => {
  const { url } = await library.openApi();
  expect((await fetch(`${url}/`)).status).toBe(404);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});
