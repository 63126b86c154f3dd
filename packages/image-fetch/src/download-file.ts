import { Client } from "undici";
import { type CheckedUrl, checkImageUrl } from "./check-image-url.ts";
import { connectTo } from "./connect-to.ts";
import { ImageFetchError } from "./image-fetch-error.ts";
import type { ImageNetwork } from "./network.ts";

/** GitHub redirects the files of a release once. */
const redirectLimit = 3;

export type DownloadOptions = {
  network: ImageNetwork;
  limitBytes: number;
  /** The longest time without new bytes. */
  idleMs: number;
  userAgent: string;
  /** Default: only https addresses, also after a redirect. */
  allowsHttp?: boolean | undefined;
};

/** A file that is being downloaded: its size where the server names it, and its bytes, which must be read or closed. */
export type Download = { totalBytes: number | undefined; bytes: AsyncGenerator<Uint8Array, void, void> };

/**
 * Opens a large file at an address as a stream. Every hop is checked as by `createImageFetch`: an address of a private
 * network is refused, also behind a redirect. Throws ImageFetchError, as reading does.
 */
export async function openDownload(
  address: string,
  options: DownloadOptions,
  signal: AbortSignal,
): Promise<Download> {
  let hop = await check(address, undefined);
  for (let redirects = 0; redirects <= redirectLimit; redirects++) {
    const opened = await openHop(hop, options, signal);
    if (opened.location === undefined) return opened;
    hop = await check(opened.location, hop.url);
  }
  throw failed(`The address was redirected more than ${redirectLimit} times.`);

  async function check(written: string, base: URL | undefined): Promise<CheckedUrl> {
    if (options.allowsHttp !== true && URL.parse(written, base?.href)?.protocol !== "https:")
      throw new ImageFetchError("url_not_allowed", "Only https addresses can be fetched.");
    return await checkImageUrl(written, base, options.network, signal);
  }
}

type Hop = (Download & { location?: undefined }) | { location: string };

async function openHop(hop: CheckedUrl, options: DownloadOptions, signal: AbortSignal): Promise<Hop> {
  const { network, limitBytes, idleMs, userAgent } = options;
  const client = new Client(hop.url.origin, {
    connect: connectTo(hop, network, signal),
    headersTimeout: idleMs,
    bodyTimeout: idleMs,
  });
  let isHandedOver = false;
  try {
    const { statusCode, headers, body } = await client.request({
      method: "GET",
      path: `${hop.url.pathname}${hop.url.search}`,
      headers: { accept: "*/*", "accept-encoding": "identity", "user-agent": userAgent },
      signal,
    });
    body.on("error", () => {});
    if ([301, 302, 303, 307, 308].includes(statusCode)) {
      if (typeof headers.location !== "string") throw failed("The redirect has no target.");
      return { location: headers.location };
    }
    if (statusCode !== 200) throw failed(`The server responded with status ${statusCode}.`);
    const length = headers["content-length"];
    const totalBytes = typeof length === "string" ? Number(length) : undefined;
    if (totalBytes !== undefined && totalBytes > limitBytes) throw tooLarge(limitBytes);
    isHandedOver = true;
    return { totalBytes, bytes: read(client, body, { limitBytes, signal }) };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ImageFetchError) throw error;
    throw failed("The server could not be reached.");
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
    throw failed("The download ended before the end of the file.");
  } finally {
    await client.destroy();
  }
}

function failed(detail: string): ImageFetchError {
  return new ImageFetchError("url_fetch_failed", detail);
}

function tooLarge(limitBytes: number): ImageFetchError {
  const gibibytes = Math.round(limitBytes / 1024 ** 3);
  return new ImageFetchError("image_too_large", `The file is larger than ${gibibytes} GiB.`);
}
