import { once } from "node:events";
import { connect } from "node:net";
import { promisify } from "node:util";
import { openFakeInternet, publicAddress } from "@koma/image-fetch/testing/fake-internet";
import { FfmpegMissingError } from "@koma/library";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { expectProblem } from "./fixtures/expect-problem.ts";
import { nextGuest, openTestLibrary, readImage } from "./fixtures/open-test-api.ts";
import { readQuota } from "./fixtures/test-users.ts";

const library = await openTestLibrary(() => Promise.reject(new FfmpegMissingError("There is no ffmpeg.")));
const internet = await openFakeInternet({
  "pictures.example": [publicAddress],
  "private.nip.example": ["127.0.0.1"],
});
const api = await library.openApi({}, { network: internet.network });
const image = await readImage("Alpha Show 2.jpg");
let from: string;
afterAll(async () => {
  internet.close();
});
beforeEach(() => {
  from = nextGuest();
});
afterEach(async () => {
  // After any input the process responds, and no credit is charged.
  expect((await readQuota(api, { "x-forwarded-for": from })).remaining).toBe(5);
});

const post = (init: RequestInit & { headers?: Record<string, string> }) =>
  api.call("/api/anime/search", {
    method: "POST",
    ...init,
    headers: { "x-forwarded-for": from, ...init.headers },
  });
const asForm = (body: string | Buffer) =>
  post({
    body: new Uint8Array(Buffer.from(body)),
    headers: { "content-type": "multipart/form-data; boundary=b" },
  });
const codeOf = async (response: Promise<{ body: unknown }>) =>
  ((await response).body as { code?: string }).code;

describe("a search without exactly one image", () => {
  const part = (name: string, value: string) =>
    `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

  test.each([
    ["a request without a body", "image_required", () => post({})],
    ["an empty multipart body", "image_required", () => asForm("")],
    ["a form without fields", "image_required", () => asForm("--b--\r\n")],
    ["an empty file", "image_required", () => api.search({ image: new Blob([]) }, { from })],
    ["an empty url", "image_required", () => api.search({ url: " " }, { from })],
    ["other fields only", "image_required", () => api.search({ isPublic: "true" }, { from })],
    [
      "image and url",
      "image_and_url",
      () => api.search({ image, url: "http://pictures.example/" }, { from }),
    ],
    ["two images", "invalid_request", () => asForm(`${part("image", "a")}${part("image", "b")}--b--\r\n`)],
    ["two urls", "invalid_request", () => asForm(`${part("url", "a")}${part("url", "b")}--b--\r\n`)],
  ])("rejects %s", async (_name, code, send) => expect(await codeOf(send())).toBe(code));
});

describe("a body that is no form", () => {
  test.each([
    ["application/json", '{"url":"http://pictures.example/"}'],
    ["application/json", "{"],
    ["application/x-www-form-urlencoded", "url=x"],
    ["image/jpeg", "x"],
    ["text/plain", "x"],
    ["nonsense", "x"],
  ])("rejects the content type %s", async (type, body) => {
    expect(await codeOf(post({ body, headers: { "content-type": type } }))).toBe("unsupported_media_type");
  });

  test.each([
    ["without boundary", "multipart/form-data", "x"],
    [
      "cut off",
      "multipart/form-data; boundary=b",
      '--b\r\ncontent-disposition: form-data; name="image"\r\n\r\nxyz',
    ],
    ["not multipart inside", "multipart/form-data; boundary=b", "hello"],
    [
      "with a field named like a prototype's",
      "multipart/form-data; boundary=b",
      '--b\r\ncontent-disposition: form-data; name="__proto__"\r\n\r\nx\r\n--b--\r\n',
    ],
  ])("rejects multipart %s", async (_name, type, body) => {
    expect(await codeOf(post({ body, headers: { "content-type": type } }))).toBe("invalid_request");
  });
});

describe("a field with an invalid value", () => {
  test.each([
    { isPublic: "" },
    { isPublic: "yes" },
    { isPublic: "TRUE" },
    { isPublic: "1" },
    { animeId: "x".repeat(65) },
    { animeId: "../etc" },
    { animeId: "\u0000" },
  ])("rejects %j", async (field: Record<string, string>) => {
    const response = await api.search({ image, ...field }, { from });
    expectProblem(response, "invalid_request", { errors: [{ path: Object.keys(field)[0] }] });
  });

  test("rejects more fields than a form has", async () => {
    const fields = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`field${i}`, "x"]));
    const response = await api.search(fields, { from });
    expectProblem(response, "invalid_request", { detail: "The body has too many fields." });
  });

  test("rejects a url of 3000 characters", async () => {
    expect(await codeOf(api.search({ url: `http://pictures.example/${"a".repeat(3000)}` }, { from }))).toBe(
      "invalid_request",
    );
  });
});

/** Files that cannot be searched, with the code of the expected error; the tests of the engine have more. */
const badFiles: [name: string, code: string, make: () => Promise<Buffer> | Buffer][] = [
  ["text named .jpg", "unsupported_image_type", () => Buffer.from("this is not an image")],
  [
    "a playlist behind the first bytes of an MP4",
    "unsupported_image_type",
    () => Buffer.from("\0\0\0\x18ftypisom\n#EXTM3U\n#EXTINF:1,\nhttp://127.0.0.1/\n#EXT-X-ENDLIST\n"),
  ],
  [
    "the first bytes of a WebM",
    "unsupported_image_type",
    () => Buffer.from("\x1aE\xdf\xa3\x87webm", "latin1"),
  ],
  [
    "a truncated JPEG",
    "image_unreadable",
    async () => Buffer.from(await image.arrayBuffer()).subarray(0, 300),
  ],
  ["10 MiB and one byte", "image_too_large", () => Buffer.alloc(10 * 1024 * 1024 + 1, 0xff)],
];

describe("a file that cannot be searched", () => {
  test.each(badFiles)("%s is %s, as an upload and behind an address", async (_name, code, make) => {
    const bytes = new Uint8Array(await make());
    const image = new File([bytes], "picture.jpg", { type: "image/jpeg" });
    expect(await codeOf(api.search({ image }, { from }))).toBe(code);
    await internet.serve(publicAddress, (_request, response) => void response.end(bytes));
    expect(await codeOf(api.search({ url: "http://pictures.example/picture.jpg" }, { from }))).toBe(code);
  });

  test("a client that reads after it has sent 11 MiB gets the response", async () => {
    const file = 'content-disposition: form-data; name="image"; filename="a.jpg"\r\ncontent-type: image/jpeg';
    const body = Buffer.concat([
      Buffer.from(`--part\r\n${file}\r\n\r\n`),
      Buffer.alloc(11 * 1024 ** 2),
      Buffer.from("\r\n--part--\r\n"),
    ]);
    const type = "content-type: multipart/form-data; boundary=part";
    const head = `POST /api/anime/search HTTP/1.1\r\nhost: a\r\n${type}\r\ncontent-length: ${body.length}\r\n\r\n`;
    const socket = connect(Number(new URL(api.url).port), "127.0.0.1");
    await once(socket, "connect");
    socket.pause();
    socket.write(head);
    await promisify((done: (error?: Error | null) => void) => socket.write(body, done))();
    // The connection has ended by now if the API did not read the rest.
    await once(socket.resume(), "data").then(([data]) => expect(String(data)).toMatch(/^HTTP\/1\.1 413 /));
    socket.destroy();
  });

  test("rejects 100 MiB without storing them", async () => {
    const body = new FormData();
    body.append("image", new Blob(Array.from({ length: 100 }, () => new Uint8Array(1024 * 1024))));
    const response = await post({ body }).catch(() => undefined);
    // A client that is still sending can find the connection closed before it reads the response.
    if (response !== undefined) expectProblem(response, "image_too_large");
  });
});

test("a video is rejected where ffmpeg is missing, with the reason", async () => {
  const image = new Blob(["\0\0\0\x18ftypisom\0\0\0\0mp42"]);
  const { body } = await api.search({ image }, { from });
  expect(body).toMatchObject({ status: 415, detail: expect.stringContaining("Videos are off") });
});

test.each([
  ["an SVG", "<svg xmlns='http://www.w3.org/2000/svg'/>"],
  ["a PDF", "%PDF-1.7\n"],
])("%s is rejected with what to do", async (_name, text) => {
  const { body } = await api.search({ image: new Blob([text]) }, { from });
  expect(body).toMatchObject({ status: 415, detail: expect.stringContaining("export it as PNG") });
});

test.each([
  "http://127.0.0.1/",
  "http://private.nip.example/",
  "http://user:pass@pictures.example/",
  "nonsense",
])("rejects the address %s", async (url) =>
  expect(await codeOf(api.search({ url }, { from }))).toBe("url_not_allowed"),
);
