import { createRandom, type Random } from "../drawing/random.ts";
import { hostileText, mutateText, words } from "./hostile-text.ts";
import { generateImageAddress } from "./image-addresses.ts";
import { drawImageFiles, generateImageFile } from "./image-files.ts";
import { generateJsonText } from "./json-text.ts";
import {
  generateMultipartBody,
  type MultipartBody,
  writeFieldForm,
  writeFileForm,
} from "./multipart-body.ts";
import { mutateBytes, randomBytes } from "./mutate-bytes.ts";

/** The kinds of hostile requests. */
export const fuzzKinds = ["image", "multipart", "url", "header", "json", "file-name", "video"] as const;
export type FuzzKind = (typeof fuzzKinds)[number];

/** An HTTP request. Header names can repeat, and header values can be invalid. */
export type FuzzRequest = {
  method: string;
  path: string;
  headers: [name: string, value: string][];
  body?: Buffer;
};

/** The headers that authenticate a session and a bot. Without them, such requests are rejected early. */
export type FuzzCredentials = { session?: { [name: string]: string }; bot?: { [name: string]: string } };

const searchPath = "/api/anime/search";

/**
 * Opens a generator of hostile requests to the API. A request depends on the seed, its kind and its number
 * alone, so that one request of a run can be repeated. `videos` are small valid videos that are mutated.
 */
export async function openFuzzRequests(options: {
  seed: number;
  videos: readonly Buffer[];
  credentials?: FuzzCredentials;
}) {
  const images = await drawImageFiles();
  const { seed, videos, credentials = {} } = options;

  const generate: Record<FuzzKind, (random: Random) => FuzzRequest> = {
    image: (random) => {
      const file = generateImageFile(random, images);
      if (random.chance(0.05)) return post("/trace.moe/search", "image/jpeg", file);
      return postForm(writeFileForm(file));
    },
    multipart: (random) => postForm(generateMultipartBody(random, images)),
    url: (random) => {
      const url = generateImageAddress(random);
      if (random.chance(0.1)) return get(`/trace.moe/search?url=${encodeURIComponent(wellFormed(url))}`);
      return postForm(writeFieldForm({ url }));
    },
    header: (random) => generateHeaders(random, images[0] ?? Buffer.alloc(0)),
    json: (random) => generateJsonRequest(random, credentials),
    "file-name": (random) => generateFileName(random, images[0] ?? Buffer.alloc(0)),
    video: (random) => {
      const video = videos[random.whole(0, videos.length - 1)] ?? Buffer.alloc(0);
      return postForm(writeFileForm(mutateBytes(random, video, videos), "video.mp4", "video/mp4"));
    },
  };

  return {
    /** Returns the request of this kind and number. */
    create(kind: FuzzKind, index: number): FuzzRequest {
      return generate[kind](createRandom(`${seed}/${kind}/${index}`));
    },
  };
}

/** Returns the bytes of a request from the client network `from`. */
export function writeRequest({ method, path, headers, body }: FuzzRequest, from: string): Buffer {
  const isForwarded = headers.some(([name]) => name.toLowerCase() === "x-forwarded-for");
  const lines = [
    `${method} ${path} HTTP/1.1`,
    "host: localhost",
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(isForwarded ? [] : [`x-forwarded-for: ${from}`]),
    ...(body === undefined ? [] : [`content-length: ${body.length}`]),
    "connection: close",
  ];
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "utf8"), body ?? Buffer.alloc(0)]);
}

function get(path: string): FuzzRequest {
  return { method: "GET", path, headers: [] };
}

function post(path: string, contentType: string, body: Buffer): FuzzRequest {
  return { method: "POST", path, headers: [["content-type", contentType]], body };
}

function postForm({ contentType, body }: MultipartBody): FuzzRequest {
  return post(searchPath, contentType.replace(/[\r\n]/g, ""), body);
}

const methods = words("GET GET POST DELETE PUT PATCH HEAD OPTIONS TRACE");
const paths = words(
  "/api/anime/search /api/anime/quota /api/anime /api/anime/rankings",
  "/api/anime/recent-searches?limit=5 /api/user/anime-credits /api/apikeys /api/links/BCDF-GHJK /mcp",
  "/healthz /readyz /openapi.json /docs /api/auth/get-session /trace.moe/me /trace.moe/anilist",
  "/trace.moe/status /trace.moe/stats /connect / /nothing /api/anime/searches/cmi8x2k4q0003",
  "/previews/still/a/1/b/1-2 /api/site",
);
const headerNames = words(
  "accept accept-encoding accept-language authorization cookie content-type content-encoding expect",
  "forwarded idempotency-key if-modified-since if-none-match origin range referer te trailer upgrade",
  "user-agent x-forwarded-for x-forwarded-host x-forwarded-proto x-koma-chat-user x-request-id",
  "access-control-request-method access-control-request-headers host connection",
);
const headerValues: readonly [string, ...string[]] = [
  "",
  "0",
  "-1",
  "*",
  "*/*",
  "text/html",
  "gzip, br;q=9",
  "Bearer",
  "Bearer koma_x",
  "Basic Og==",
  "null",
  "chunked",
  "gzip",
  "100-continue",
  "websocket",
  "keep-alive",
  "bytes=0-",
  "bytes=-1",
  "bytes=9-1,2-",
  "discord:1",
  "discord:",
  "127.0.0.1",
  "::1",
  "https://evil.example",
  "better-auth.session_token=x.y",
  "better-auth.session_token=%",
  "multipart/form-data",
  "a=b; a=c; =; ;",
  '"',
  'W/"x"',
  "Thu, 99 Foo 0000",
  "multipart/form-data; boundary=",
  "application/json; charset=utf-16",
];

function generateHeaders(random: Random, image: Buffer): FuzzRequest {
  const method = random.chance(0.97) ? random.pick(methods) : mutateText(random, "GET");
  const path = random.chance(0.6) ? random.pick(paths) : mutateText(random, `${random.pick(paths)}?a=b`);
  const count = random.chance(0.02) ? random.whole(100, 2500) : random.whole(1, 6);
  const headers = Array.from({ length: count }, (): [string, string] => {
    const name = random.chance(0.9) ? random.pick(headerNames) : hostileText(random);
    const value = random.chance(0.6)
      ? random.pick(headerValues)
      : mutateText(random, random.pick(headerValues));
    return [name, random.chance(0.02) ? value.padEnd(random.whole(1000, 20_000), "x") : value];
  });
  const hasBody = method === "POST" && random.chance(0.4);
  const form = writeFileForm(image.subarray(0, random.chance(0.2) ? image.length : 20));
  // The first of two values decides, so the valid one comes last.
  if (hasBody) headers.push(["content-type", form.contentType]);
  // No length is larger than the body, because the API would wait for the rest.
  if (hasBody && random.chance(0.3)) {
    headers.push(["content-length", random.pick(["0", "-1", "1", "+1", "1e1", "0x1", "", "1, 1", " 9"])]);
  }
  if (hasBody && random.chance(0.1)) {
    headers.push([
      "transfer-encoding",
      random.pick(["chunked", "gzip", "chunked, chunked", "identity", " "]),
    ]);
  }
  return { method, path, headers, ...(hasBody && { body: form.body }) };
}

const confirmed = "/api/anime/searches/cmi8x2k4q0003/confirm";
const libraryEvent = {
  eventType: "Download",
  episodeFile: { path: "/a.mkv" },
  series: { path: "/", title: "A" },
};
const bodies: [path: string, caller: "guest" | "session" | "bot", valid: object][] = [
  [confirmed, "guest", { rank: 1, confirmToken: "4bq0xJcJ2vNnM1l8Yy3o7w" }],
  ["/api/apikeys", "session", { title: "T" }],
  ["/api/links", "bot", { chatUser: "discord:1", displayName: "A", platform: "discord" }],
  ["/api/links/token", "bot", { deviceCode: "x" }],
  ["/api/apikeys/leaked", "bot", { key: `koma_${"x".repeat(52)}`, chatUser: "discord:1" }],
  [
    "/mcp",
    "bot",
    {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "find_anime", arguments: { query: "a" } },
    },
  ],
  ["/mcp", "bot", { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-06-18" } }],
  ["/api/auth/sign-in/email", "guest", { email: "a@site.example", password: "a long password" }],
  ["/api/auth/sign-up/email", "guest", { email: "a@site.example", password: "123", name: "A" }],
  ["/api/auth/update-user", "session", { name: "A", image: null }],
  ["/api/auth/change-password", "session", { currentPassword: "x", newPassword: "a long password" }],
  ["/api/auth/revoke-session", "session", { token: "x" }],
  ["/api/auth/two-factor/enable", "session", { password: "x" }],
  ["/api/auth/two-factor/verify-totp", "guest", { code: "123456" }],
  ["/api/auth/reset-password", "guest", { newPassword: "a long password", token: "x" }],
  ["/api/auth/sign-in/social", "guest", { provider: "discord", callbackURL: "/" }],
  ["/api/auth/request-password-reset", "guest", { email: "b@site.example", redirectTo: "/" }],
  ["/api/webhooks/library?token=x", "guest", libraryEvent],
  ["/api/webhooks/stripe", "guest", { id: "evt_1", type: "checkout.session.completed" }],
];

function generateJsonRequest(random: Random, credentials: FuzzCredentials): FuzzRequest {
  const [path, caller, valid] = bodies[random.whole(0, bodies.length - 1)] ?? bodies[0] ?? ["/", "guest", {}];
  const authentication = caller === "guest" ? {} : (credentials[caller] ?? {});
  const text = Buffer.from(generateJsonText(random, valid));
  const body = random.chance(0.1) ? mutateBytes(random, text, [randomBytes(random, 32)]) : text;
  const request = post(path, random.chance(0.95) ? "application/json" : "text/plain", body);
  const accept: [string, string][] =
    path === "/mcp" ? [["accept", "application/json, text/event-stream"]] : [];
  return { ...request, headers: [...request.headers, ...accept, ...Object.entries(authentication)] };
}

const staticFolders = words("/docs/js/ /assets/ /previews/still/ /connect/ / /openapi.json/");

function generateFileName(random: Random, image: Buffer): FuzzRequest {
  const name = random.chance(0.5) ? hostileText(random) : mutateText(random, "Alpha Show - 01.jpg");
  if (random.chance(0.3)) {
    const path = random.chance(0.5) ? encodeURI(wellFormed(name)) : name;
    return get(`${random.pick(staticFolders)}${path}`);
  }
  // Most requests contain an unreadable image, because the name is parsed before.
  const file = random.chance(0.1) ? image : image.subarray(0, 40);
  const form = writeFileForm(file, name);
  if (random.chance(0.3)) {
    const extended = `; filename*=${random.pick(["UTF-8''", "utf-8'en'", "x''", "''", ""])}${encodeURI(wellFormed(name))}`;
    const body = form.body
      .toString("latin1")
      .replace(/"\r\nContent-Type/, () => `"${extended}\r\nContent-Type`);
    return postForm({ ...form, body: Buffer.from(body, "latin1") });
  }
  return postForm(form);
}

/** Replaces lone surrogates, which cannot be encoded in an address. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}
