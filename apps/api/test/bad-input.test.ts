import { once } from "node:events";
import { connect } from "node:net";
import { promisify } from "node:util";
import { Quota } from "@koma/contract";
import { writeBmp } from "@koma/image/testing/write-bmp";
import { openFakeInternet, publicAddress } from "@koma/image-fetch/testing/fake-internet";
import { FfmpegMissingError } from "@koma/library";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { hugeJpeg } from "./fixtures/huge-jpeg.ts";
import { hugePng } from "./fixtures/huge-png.ts";
import { nextGuest, openTestLibrary, readImage, type TestClient } from "./fixtures/open-test-api.ts";

let library: Awaited<ReturnType<typeof openTestLibrary>>;
let api: TestClient;
let internet: Awaited<ReturnType<typeof openFakeInternet>>;
let from: string;
beforeAll(async () => {
  library = await openTestLibrary(() => Promise.reject(new FfmpegMissingError("There is no ffmpeg.")));
  internet = await openFakeInternet({
    "pictures.example": [publicAddress],
    "private.nip.example": ["127.0.0.1"],
  });
  api = await library.openApi({}, { network: internet.network });
});
afterAll(async () => {
  internet.close();
  await library.close();
});
beforeEach(() => {
  from = nextGuest();
});
afterEach(async () => {
  // After any input the process responds, and no credit is charged.
  const quota = await api.call("/api/anime/quota", {
    headers: { "x-forwarded-for": from },
  });
  expect(Quota.parse(quota.body).remaining).toBe(5);
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
  test("rejects a request without a body", async () => expect(await codeOf(post({}))).toBe("image_required"));
  test("rejects an empty multipart body", async () =>
    expect(await codeOf(asForm(""))).toBe("image_required"));
  test("rejects a form without fields", async () =>
    expect(await codeOf(asForm("--b--\r\n"))).toBe("image_required"));
  test("rejects an empty file", async () =>
    expect(await codeOf(api.search({ image: new Blob([]) }, { from }))).toBe("image_required"));
  test("rejects an empty url", async () =>
    expect(await codeOf(api.search({ url: " " }, { from }))).toBe("image_required"));
  test("rejects other fields only", async () =>
    expect(await codeOf(api.search({ isPublic: "true" }, { from }))).toBe("image_required"));

  test("rejects image together with url", async () => {
    const image = await readImage("Alpha Show 2.jpg");
    expect(await codeOf(api.search({ image, url: "http://pictures.example/" }, { from }))).toBe(
      "image_and_url",
    );
  });

  test("rejects two images and two urls", async () => {
    const part = (name: string, value: string) =>
      `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    expect(await codeOf(asForm(`${part("image", "a")}${part("image", "b")}--b--\r\n`))).toBe(
      "invalid_request",
    );
    expect(await codeOf(asForm(`${part("url", "a")}${part("url", "b")}--b--\r\n`))).toBe("invalid_request");
  });
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
    const image = await readImage("Alpha Show 2.jpg");
    const response = await api.search({ image, ...field }, { from });
    expect(response.body).toMatchObject({
      status: 400,
      code: "invalid_request",
      errors: [{ path: Object.keys(field)[0] }],
    });
  });

  test("rejects more fields than a form has", async () => {
    const fields = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`field${i}`, "x"]));
    const response = await api.search(fields, { from });
    expect(response.body).toMatchObject({ code: "invalid_request", detail: "The body has too many fields." });
  });

  test("rejects a url of 3000 characters", async () => {
    expect(await codeOf(api.search({ url: `http://pictures.example/${"a".repeat(3000)}` }, { from }))).toBe(
      "invalid_request",
    );
  });
});

/** Files that cannot be searched, with the code of the expected error. */
const badFiles: [name: string, code: string, make: () => Promise<Buffer> | Buffer][] = [
  ["text named .jpg", "unsupported_image_type", () => Buffer.from("this is not an image")],
  ["one byte", "unsupported_image_type", () => Buffer.from([0xff])],
  [
    "an SVG",
    "unsupported_image_type",
    () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
  ],
  ["a PDF", "unsupported_image_type", () => Buffer.from("%PDF-1.7\n")],
  ["a HEIC", "unsupported_image_type", () => Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic")],
  ["the first bytes of a WebP", "image_unreadable", () => Buffer.from("RIFF\0\0\0\0WEBP")],
  ["the first bytes of an AVIF", "image_unreadable", () => Buffer.from("\0\0\0\x18ftypavif\0\0\0\0mif1avif")],
  ["the first bytes of a GIF", "image_unreadable", () => Buffer.from("GIF89a")],
  ["text that starts like a BMP", "unsupported_image_type", () => Buffer.from("BM".repeat(40))],
  ["a truncated BMP", "image_unreadable", () => writeBmp(40, 40, () => black).subarray(0, 2000)],
  [
    "a compressed BMP",
    "unsupported_image_type",
    () =>
      withWord(
        writeBmp(40, 40, () => black),
        30,
        1,
      ),
  ],
  [
    "a BMP of 20000x40",
    "image_unreadable",
    () =>
      withWord(
        writeBmp(40, 40, () => black),
        18,
        20_000,
      ),
  ],
  [
    "a BMP of 2000000x40",
    "image_too_large",
    () =>
      withWord(
        writeBmp(40, 40, () => black),
        18,
        2_000_000,
      ),
  ],
  [
    "the first bytes of an MP4",
    "unsupported_image_type",
    () => Buffer.from("\0\0\0\x18ftypisom\0\0\0\0mp42"),
  ],
  [
    "the first bytes of a WebM",
    "unsupported_image_type",
    () => Buffer.from("\x1aE\xdf\xa3\x87\x42\x82\x84webm", "latin1"),
  ],
  [
    "a playlist behind the first bytes of an MP4",
    "unsupported_image_type",
    () => Buffer.from("\0\0\0\x18ftypisom\n#EXTM3U\n#EXTINF:1,\nhttp://127.0.0.1/\n#EXT-X-ENDLIST\n"),
  ],
  [
    "the header of a JPEG",
    "image_unreadable",
    async () => {
      const jpeg = await readBytes("Alpha Show 2.jpg");
      return jpeg.subarray(0, jpeg.indexOf(Buffer.from([0xff, 0xda])) + 20);
    },
  ],
  [
    "a truncated PNG",
    "image_unreadable",
    async () => (await readBytes("Alpha Show 2.png")).subarray(0, 3000),
  ],
  [
    "a corrupt PNG",
    "image_unreadable",
    async () => (await readBytes("Alpha Show 2.png")).fill(7, 3000, 3400),
  ],
  ["the first bytes of a JPEG", "image_unreadable", () => Buffer.from([0xff, 0xd8, 0xff, 0xe0])],
  ["the signature of a PNG", "image_unreadable", () => Buffer.from("89504e470d0a1a0a", "hex")],
  ["a JPEG of 65535x65535", "image_too_large", () => hugeJpeg(65_535, 65_535)],
  ["a JPEG of 10000x10000", "image_too_large", () => hugeJpeg(10_000, 10_000)],
  ["a PNG of 30000x30000", "image_too_large", () => hugePng(30_000, 30_000)],
  [
    "11 MiB",
    "image_too_large",
    () => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(11 * 1024 * 1024)]),
  ],
  [
    "10 MiB and one byte",
    "image_too_large",
    () => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(10 * 1024 * 1024 - 2)]),
  ],
];

const black = { r: 0, g: 0, b: 0 };

function withWord(bmp: Buffer, at: number, value: number): Buffer {
  bmp.writeUInt32LE(value, at);
  return bmp;
}

const readBytes = async (name: string) => Buffer.from(await (await readImage(name)).arrayBuffer());

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
    if (response !== undefined) expect(response.body).toMatchObject({ code: "image_too_large" });
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

describe("an image address", () => {
  test.each([
    "http://127.0.0.1/",
    "http://localhost:3000/",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://0177.0.0.1/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://private.nip.example/",
    "http://user:pass@pictures.example/",
    "file:///etc/passwd",
    "nonsense",
  ])("rejects %s", async (url) => {
    expect(await codeOf(api.search({ url }, { from }))).toBe("url_not_allowed");
  });

  test("rejects redirects to this machine, loops and errors", async () => {
    await internet.serve(publicAddress, (request, response) => {
      if (request.url === "/missing") response.writeHead(404).end();
      else
        response
          .writeHead(302, {
            location: request.url === "/loop" ? "/loop" : "http://[::1]/",
          })
          .end();
    });
    expect(await codeOf(api.search({ url: "http://pictures.example/inside" }, { from }))).toBe(
      "url_not_allowed",
    );
    expect(await codeOf(api.search({ url: "http://pictures.example/loop" }, { from }))).toBe(
      "url_fetch_failed",
    );
    expect(await codeOf(api.search({ url: "http://pictures.example/missing" }, { from }))).toBe(
      "url_fetch_failed",
    );
    expect(await codeOf(api.search({ url: "http://unknown.example/" }, { from }))).toBe("url_fetch_failed");
  });
});
