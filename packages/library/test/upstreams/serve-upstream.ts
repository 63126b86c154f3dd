import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { type Match, SearchResult } from "@koma/contract";
import { sharp } from "@koma/image";
import { onTestFinished } from "vitest";
import { createUpstreams } from "../../src/upstreams/upstreams.ts";

/** The published example of trace.moe's `/search?anilistInfo`, with the fields of its present version. */
export const traceMoeResponse = {
  frameCount: 745506,
  error: "",
  result: [
    {
      anilist: {
        id: 99939,
        idMal: 34658,
        title: { native: "ネコぱらOVA", romaji: "Nekopara OVA", english: null },
        synonyms: ["Neko Para OVA"],
        isAdult: false,
      },
      filename: "Nekopara - OVA (BD 1280x720 x264 AAC).mp4",
      episode: null as unknown,
      from: 97.75,
      at: 98.25,
      to: 98.92,
      duration: 3599.9,
      similarity: 0.9440424588727485,
      video: "https://api.trace.moe/video/99939/x.mp4?t=98.335&now=1653892514&token=xxx",
      image: "https://api.trace.moe/image/99939/x.mp4.jpg?t=98.335&now=1653892514&token=xxx",
    },
  ],
};
type Request = { method: string; url: string; headers: IncomingMessage["headers"]; body: Buffer };

/** A local service until the test ends; `respond` gets the number of the request. */
export async function serve(respond: (response: ServerResponse, count: number) => void) {
  const requests: Request[] = [];
  // A client of another test can still call a port that was free again.
  const prefix = `/${randomUUID()}`;
  const handle: RequestListener = (request, response) => {
    const { method = "", url = "", headers } = request;
    if (!url.startsWith(prefix)) return void response.writeHead(404).end();
    buffer(request).then(
      (body) => {
        requests.push({ method, url: url.slice(prefix.length), headers, body });
        respond(response, requests.length);
      },
      () => undefined,
    );
  };
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`, requests };
}

/** A service with one response. */
export const serveJson = async (json: unknown) =>
  await serve((response) => response.end(JSON.stringify(json)));

type Options = Partial<Parameters<typeof createUpstreams>[0]>;

/** Opens services with the defaults of a search. */
export function openUpstreams(
  upstreams: Parameters<typeof createUpstreams>[0]["upstreams"],
  options: Options = {},
) {
  const messages: string[] = [];
  const onLog = (message: string) => messages.push(message);
  const opened = createUpstreams({ upstreams, userAgent: "Koma/0", onLog, ...options });
  return {
    sources: opened.sources,
    messages,
    listDown: opened.listDown,
    search: async (bytes: Uint8Array, more: Partial<Parameters<typeof opened.search>[0]> = {}) =>
      await opened.search({
        bytes,
        atSeconds: undefined,
        takeRequest: async () => true,
        signal: new AbortController().signal,
        ...more,
      }),
  };
}

let images = 0;

/** A JPEG with a comment of the camera; each has other content. */
export async function createImage(): Promise<Buffer> {
  images += 1;
  return await sharp({ create: { width: 1280, height: 720 + images, channels: 3, background: "#369" } })
    .withExif({ IFD0: { Artist: "the owner of the camera" } })
    .jpeg()
    .toBuffer();
}

/** The result of a Koma; `match` changes its match. */
export function createKomaResult(
  changes: Partial<SearchResult> = {},
  match: Partial<Match> = {},
): SearchResult {
  const example = SearchResult.parse((SearchResult.meta()?.examples as unknown[] | undefined)?.[0]);
  return { ...example, matches: example.matches.map((one) => ({ ...one, ...match })), ...changes };
}
