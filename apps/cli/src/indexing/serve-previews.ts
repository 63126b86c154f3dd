import { once } from "node:events";
import { open } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { hostname } from "node:os";
import { pipeline } from "node:stream/promises";
import {
  createPreviewRequests,
  PreviewBusyError,
  PreviewGoneError,
  type PreviewRequest,
  PreviewRequestError,
  type Previews,
} from "@koma/library";
import { CommandError } from "../command-error.ts";

/** The address that a server listens on. */
export type ListenAddress = { host: string; port: number };

const maxConnections = 64;
const idleMs = 10_000;

/**
 * Serves previews to the APIs that know the key, which sign each request. The response 102 means that this
 * machine has the video, because a clip can take longer than an API waits for a machine. `address` is the one
 * to register: the host name of this machine if it listens on all of its addresses. Throws CommandError.
 */
export async function servePreviews(options: {
  listen: ListenAddress;
  previews: Previews;
  key: Buffer;
  onLog: (message: string) => void;
}): Promise<{ address: string; close: () => Promise<void> }> {
  const { listen, previews, onLog } = options;
  const requests = createPreviewRequests({ key: options.key });
  let address = "";
  const limits = { maxHeaderSize: 4096, headersTimeout: idleMs, requestTimeout: idleMs };
  const server = createServer(limits, (request, response) => {
    respond(request, response).catch((error: unknown) => {
      const status = toStatus(error);
      if (status === 500 && !response.destroyed) onLog(`A preview failed: ${String(error)}`);
      // The length of a response that has begun is known to the API.
      if (response.headersSent) response.destroy();
      else response.writeHead(status, { connection: "close" }).end();
    });
  });
  server.maxConnections = maxConnections;
  server.listen(listen.port, listen.host);
  await once(server, "listening").catch((error: Error) => {
    throw new CommandError(`Previews cannot be served on ${listen.host}:${listen.port} (${error.message}).`);
  });
  address = describeAddress(server.address() as AddressInfo);

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const preview = requests.read(address, request.method === "GET" ? (request.url ?? "") : "");
    if (!(await previews.hasVideo(preview.episodeId))) throw new PreviewGoneError("The video is not here.");
    response.writeProcessing();
    await sendPreview(response, await createPreview(previews, preview), preview.kind);
  }

  return {
    address,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function createPreview(previews: Previews, request: PreviewRequest): Promise<string> {
  if (request.kind === "still") return previews.still(request.episodeId, request.atSeconds, request);
  return previews.clip(request.episodeId, request.fromSeconds, request.toSeconds, request);
}

async function sendPreview(
  response: ServerResponse,
  path: string,
  kind: PreviewRequest["kind"],
): Promise<void> {
  await using file = await open(path);
  const { size } = await file.stat();
  const contentType = kind === "still" ? "image/jpeg" : "video/mp4";
  response.writeHead(200, { "content-type": contentType, "content-length": size, connection: "close" });
  response.setTimeout(idleMs, () => response.destroy());
  await pipeline(file.createReadStream({ autoClose: false }), response);
}

function toStatus(error: unknown): number {
  if (error instanceof PreviewRequestError) return 403;
  if (error instanceof PreviewGoneError) return 404;
  return error instanceof PreviewBusyError ? 503 : 500;
}

function describeAddress({ address, port }: AddressInfo): string {
  if (address === "0.0.0.0" || address === "::") return `${hostname()}:${port}`;
  return `${address.includes(":") ? `[${address}]` : address}:${port}`;
}
