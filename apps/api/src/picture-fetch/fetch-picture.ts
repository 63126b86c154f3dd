import type { Socket } from "node:net";
import { buildConnector, Client, type Dispatcher } from "undici";
import { ApiError } from "../api-error.ts";
import type { ByteShare } from "../search/byte-budget.ts";
import { type CheckedUrl, checkPictureUrl } from "./check-picture-url.ts";
import type { PictureNetwork } from "./network.ts";

/** The most hops after the first address. */
const redirectLimit = 3;
const connectSeconds = 3;

export type FetchPicture = ReturnType<typeof createPictureFetch>;

/**
 * Fetches the picture behind an address that a stranger gave: every hop is checked after resolution and the connection
 * goes to a checked address, so that a name that changes its mind gains nothing. Its bytes are taken from `share`.
 * Throws ApiError.
 */
export function createPictureFetch(options: {
  network: PictureNetwork;
  limitBytes: number;
  timeoutMs: number;
  userAgent: string;
}) {
  return async function fetchPicture(
    address: string,
    { share, signal }: { share: ByteShare; signal: AbortSignal },
  ): Promise<Uint8Array> {
    signal.throwIfAborted();
    // Not AbortSignal.any over AbortSignal.timeout: Node 20 may collect the timeout as garbage, and it never comes.
    const deadline = new AbortController();
    const end = () => deadline.abort();
    const timer = setTimeout(end, options.timeoutMs);
    signal.addEventListener("abort", end, { once: true });
    try {
      let hop = await checkPictureUrl(address, undefined, options.network, deadline.signal);
      for (let redirects = 0; redirects <= redirectLimit; redirects++) {
        const answer = await fetchHop(hop, share, deadline.signal);
        if (answer.bytes !== undefined) return answer.bytes;
        hop = await checkPictureUrl(answer.location, hop.url, options.network, deadline.signal);
      }
    } catch (error) {
      if (error instanceof ApiError) throw error;
      signal.throwIfAborted();
      throw failed(
        deadline.signal.aborted ? "It took too long." : "The server could not be reached or broke off.",
      );
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
    }
    throw failed(`It was redirected more than ${redirectLimit} times.`);
  };

  async function fetchHop(hop: CheckedUrl, share: ByteShare, signal: AbortSignal): Promise<HopAnswer> {
    const client = new Client(hop.url.origin, {
      connect: connectTo(hop, options.network, signal),
      headersTimeout: options.timeoutMs,
      bodyTimeout: options.timeoutMs,
    });
    try {
      const answer = await client.request({
        method: "GET",
        path: `${hop.url.pathname}${hop.url.search}`,
        headers: {
          accept: "image/jpeg,image/png;q=0.9,image/*;q=0.5",
          "accept-encoding": "identity",
          "user-agent": options.userAgent,
        },
        signal,
      });
      answer.body.on("error", () => {});
      return await readAnswer(answer, options.limitBytes, share);
    } finally {
      await client.destroy();
    }
  }
}

type HopAnswer = { bytes: Uint8Array } | { bytes?: undefined; location: string };

async function readAnswer(
  answer: Dispatcher.ResponseData,
  limitBytes: number,
  share: ByteShare,
): Promise<HopAnswer> {
  const { statusCode, headers, body } = answer;
  if ([301, 302, 303, 307, 308].includes(statusCode)) {
    if (typeof headers.location !== "string") throw failed("It was redirected to nowhere.");
    return { location: headers.location };
  }
  if (statusCode !== 200) throw failed(`The server answered with status ${statusCode}.`);
  if (Number(headers["content-length"]) > limitBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > limitBytes) throw tooLarge();
    share.take(chunk.byteLength);
    chunks.push(chunk);
  }
  return { bytes: Buffer.concat(chunks) };
}

/** A connector that tries the checked addresses in turn and speaks TLS for the name in the address. */
function connectTo(hop: CheckedUrl, network: PictureNetwork, signal: AbortSignal): buildConnector.connector {
  const port = Number(hop.url.port) || (hop.url.protocol === "https:" ? 443 : 80);
  const upgrade = buildConnector({ timeout: connectSeconds * 1000 });
  return (target, done) => {
    dialFirst(hop.addresses, port, network, signal).then(
      (socket) => {
        if (target.protocol === "https:") upgrade({ ...target, httpSocket: socket }, done);
        else done(null, socket);
      },
      (error: Error) => done(error, null),
    );
  };
}

async function dialFirst(
  addresses: string[],
  port: number,
  network: PictureNetwork,
  signal: AbortSignal,
): Promise<Socket> {
  for (const address of addresses) {
    signal.throwIfAborted();
    const socket = await dial(address, port, network);
    if (socket !== undefined) return socket;
  }
  throw new Error("no address of the host answers");
}

function dial(address: string, port: number, network: PictureNetwork): Promise<Socket | undefined> {
  const socket = network.dial(address, port);
  return new Promise((resolve) => {
    const settle = (isConnected: boolean) => {
      clearTimeout(timer);
      if (!isConnected) socket.destroy();
      resolve(isConnected ? socket : undefined);
    };
    const timer = setTimeout(settle, connectSeconds * 1000, false);
    socket.once("connect", () => settle(true));
    // Stays, so that a late error of a socket given up cannot end the process.
    socket.on("error", () => settle(false));
  });
}

function failed(detail: string): ApiError {
  return new ApiError("url_fetch_failed", detail);
}

function tooLarge(): ApiError {
  return new ApiError("image_too_large", "The picture behind the address is larger than 10 MiB.");
}
