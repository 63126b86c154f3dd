import type { SearchResult } from "@koma/contract";
import { describe, expect, test } from "vitest";
import { nextGuest, openTestLibrary, readImage } from "./fixtures/open-test-api.ts";
import { makeKey, signUp } from "./fixtures/test-users.ts";

const library = await openTestLibrary();
const api = await library.openApi({ KOMA_FREE_CREDITS_PER_DAY: "100" });
const key = (await makeKey(api, await signUp(api))).key;

async function post(path: string, fields: Record<string, string>) {
  const headers = { "x-forwarded-for": nextGuest() };
  const body = new URLSearchParams(fields);
  const response = await fetch(`${api.url}${path}`, { method: "POST", body, headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const decode = (html: string) => html.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));

describe("/connect", () => {
  test("shows every client with the address and the key", async () => {
    const guest = await fetch(`${api.url}/connect`);
    const page = await guest.text();
    expect(guest.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(page).toContain("koma.sxcu");
    expect(page).not.toContain("Authorization: Bearer");
    const filled = await post("/connect", { key });
    expect(filled.headers.get("cache-control")).toBe("no-store");
    expect(decode(filled.text)).toContain(`Authorization: Bearer ${key}`);
    expect(decode(filled.text)).toContain(`${api.url}/api/anime/search`);
  });

  test("rejects a value that is no key", async () => {
    const page = await post("/connect", { key: '"><script>' });
    expect(page.status).toBe(400);
    expect(page.text).not.toContain("<script>");
    const file = await post("/connect/koma.lua", { key: "x" });
    expect(JSON.parse(file.text)).toMatchObject({ status: 400, code: "invalid_request" });
  });

  test("the ShareX file describes a request that finds the scene", async () => {
    const { text, headers } = await post("/connect/koma.sxcu", { key });
    expect(headers.get("content-disposition")).toBe('attachment; filename="koma.sxcu"');
    const uploader = JSON.parse(text);
    expect(uploader).toMatchObject({ DestinationType: "ImageUploader", Body: "MultipartFormData" });
    const body = new FormData();
    body.append(uploader.FileFormName, await readImage("Alpha Show 2.jpg"), "a.jpg");
    const init = { method: uploader.RequestMethod, headers: uploader.Headers, body };
    const response = await fetch(uploader.RequestURL, init);
    const result = (await response.json()) as SearchResult;
    expect(result.outcome).toBe("found");
    expect(result.matches[0]?.anime.title.romaji).toBe("Alpha Show");
    expect(uploader.URL).toBe(`${api.url}/search/{json:id}`);
  });

  test("the userscript is JavaScript with the address and the key", async () => {
    const { text } = await post("/connect/koma.user.js", { key });
    expect(() => new Function(text)).not.toThrow();
    expect(text).toContain(`const BASE_URL = ${JSON.stringify(api.url)};`);
    expect(text).toContain(`const KEY = ${JSON.stringify(key)};`);
    expect(text).toMatch(/^\/\/ @connect {5}127\.0\.0\.1$/m);
  });
});
