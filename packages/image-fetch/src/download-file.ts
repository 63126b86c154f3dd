import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "undici";
import { type CheckedUrl, checkImageUrl } from "./check-image-url.ts";
import { fetchFailed, ImageFetchError } from "./image-fetch-error.ts";
import type { ImageNetwork } from "./network.ts";
import { openClient } from "./open-client.ts";

/** GitHub redirects the files of a release once. */
const redirectLimit = 3;
/** Interruptions after which a download ends. */
const retryLimit = 8;
const longestDoubling = 5;

export type DownloadOptions = {
  network: ImageNetwork;
  limitBytes: number;
  /** The longest time without new bytes. */
  idleMs: number;
  userAgent: string;
  /** The time before an interrupted download continues; it doubles. Default: one second. */
  retryMs?: number | undefined;
  /** Default: only https addresses, also after a redirect. */
  allowsHttp?: boolean | undefined;
};

/** A file that is being downloaded: its size where the server names it, and its bytes, which must be read or closed. */
export type Download = { totalBytes: number | undefined; bytes: AsyncGenerator<Uint8Array, void, void> };

type Opened = Download & { etag: string | undefined };
/** The part of a file that is missing, of a version of the file. */
type Rest = { from: number; etag: string; totalBytes: number | undefined };

/** The connection ended, or the server has a problem: the same request can succeed later. */
class InterruptedError extends ImageFetchError {}

/**
 * Opens a large file at an address as a stream. An interrupted download of a file with a strong ETag continues
 * (`Range` and `If-Range`, RFC 9110), and ends if the file has changed. Every hop is checked as by
 * `createImageFetch`: an address of a private network is refused, also behind a redirect. Throws ImageFetchError,
 * as reading does.
 */
export async function openDownload(
  address: string,
  options: DownloadOptions,
  signal: AbortSignal,
): Promise<Download> {
  const first = await open(address, options, signal);
  return { totalBytes: first.totalBytes, bytes: readAll(first, address, options, signal) };
}

async function* readAll(
  first: Opened,
  address: string,
  options: DownloadOptions,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  const { etag, totalBytes } = first;
  let from = 0;
  let retries = 0;
  let opened: Opened | undefined = first;
  for (;;) {
    try {
      opened ??= await open(address, options, signal, { from, etag: etag ?? "", totalBytes });
      for await (const chunk of opened.bytes) {
        from += chunk.length;
        yield chunk;
      }
      return;
    } catch (error) {
      const canContinue = error instanceof InterruptedError && etag !== undefined && retries < retryLimit;
      if (!canContinue) throw error;
    }
    opened = undefined;
    await sleep((options.retryMs ?? 1000) * 2 ** Math.min(retries, longestDoubling), undefined, {
      signal,
    }).catch(() => signal.throwIfAborted());
    retries += 1;
  }
}

async function open(
  address: string,
  options: DownloadOptions,
  signal: AbortSignal,
  rest?: Rest,
): Promise<Opened> {
  let hop = await check(address, undefined);
  for (let redirects = 0; redirects <= redirectLimit; redirects++) {
    const opened = await openHop(hop, options, signal, rest);
    if (opened.location === undefined) return opened;
    hop = await check(opened.location, hop.url);
  }
  throw fetchFailed(`The address was redirected more than ${redirectLimit} times.`);

  async function check(written: string, base: URL | undefined): Promise<CheckedUrl> {
    if (options.allowsHttp !== true && URL.parse(written, base?.href)?.protocol !== "https:")
      throw new ImageFetchError("url_not_allowed", "Only https addresses can be fetched.");
    return await checkImageUrl(written, base, options.network, signal);
  }
}

type Hop = (Opened & { location?: undefined }) | { location: string };

async function openHop(
  hop: CheckedUrl,
  options: DownloadOptions,
  signal: AbortSignal,
  rest: Rest | undefined,
): Promise<Hop> {
  const { limitBytes, userAgent } = options;
  const client = await openClient(hop, options, signal);
  let isHandedOver = false;
  try {
    const { statusCode, headers, body } = await client.request({
      method: "GET",
      path: `${hop.url.pathname}${hop.url.search}`,
      headers: {
        ...{ accept: "*/*", "accept-encoding": "identity", "user-agent": userAgent },
        ...(rest !== undefined && { range: `bytes=${rest.from}-`, "if-range": rest.etag }),
      },
      signal,
    });
    body.on("error", () => {});
    if ([301, 302, 303, 307, 308].includes(statusCode)) {
      if (typeof headers.location !== "string") throw fetchFailed("The redirect has no target.");
      return { location: headers.location };
    }
    if (statusCode >= 500) throw interrupted(`The server responded with status ${statusCode}.`);
    if (rest !== undefined) {
      if (statusCode === 404 || statusCode === 410)
        throw fetchFailed(`The server responded with status ${statusCode}.`);
      if (statusCode !== 206 || !isRest(headers, rest))
        throw fetchFailed("The file has changed since the download began, or the server cannot continue it.");
      isHandedOver = true;
      const { from, etag, totalBytes } = rest;
      return { etag, totalBytes, bytes: read(client, body, { limitBytes: limitBytes - from, signal }) };
    }
    if (statusCode !== 200) throw fetchFailed(`The server responded with status ${statusCode}.`);
    const length = headers["content-length"];
    const totalBytes = typeof length === "string" ? Number(length) : undefined;
    if (totalBytes !== undefined && totalBytes > limitBytes) throw tooLarge(limitBytes);
    isHandedOver = true;
    // A weak ETag does not identify the bytes.
    const etag = typeof headers.etag === "string" && headers.etag.startsWith('"') ? headers.etag : undefined;
    return { etag, totalBytes, bytes: read(client, body, { limitBytes, signal }) };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ImageFetchError) throw error;
    throw interrupted("The server could not be reached.");
  } finally {
    if (!isHandedOver) await client.destroy();
  }
}

async function* read(
  client: Client,
  body: AsyncIterable<Uint8Array>,
  { limitBytes, signal }: { limitBytes: number; signal: AbortSignal },
): AsyncGenerator<Uint8Array, void, void> {
  let left = limitBytes;
  try {
    for await (const chunk of body) {
      left -= chunk.length;
      if (left < 0) throw tooLarge(limitBytes);
      yield chunk;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ImageFetchError) throw error;
    throw interrupted("The download ended before the end of the file.");
  } finally {
    await client.destroy();
  }
}

/** Whether a response is the missing part of the same version of the file. */
function isRest(
  headers: Record<string, string | string[] | undefined>,
  { from, etag, totalBytes }: Rest,
): boolean {
  const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(String(headers["content-range"]));
  if (range === null || Number(range[1]) !== from) return false;
  const isSameSize = totalBytes === undefined || range[2] === "*" || Number(range[2]) === totalBytes;
  return isSameSize && (headers.etag === undefined || headers.etag === etag);
}

function interrupted(detail: string): InterruptedError {
  return new InterruptedError("url_fetch_failed", detail);
}

function tooLarge(limitBytes: number): ImageFetchError {
  const gibibytes = Math.round(limitBytes / 1024 ** 3);
  return new ImageFetchError("image_too_large", `The file is larger than ${gibibytes} GiB.`);
}
