import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { imageLimits } from "@koma/library";
import type { FastifyInstance } from "fastify";
import { isStopped, onTinyChunks } from "../chunk-size.ts";

/**
 * Delivers responses that are sent before the request body has arrived (for example when a limit is reached
 * during an upload). The response is sent immediately, and the rest of the body is read and discarded for a
 * while before the connection is closed. An immediate close would reset the connection, and the client would
 * lose the response.
 */
export function registerEarlyResponses(app: FastifyInstance): void {
  app.addHook("onSend", async (request, reply, payload) => {
    // Injected requests of this process have no `complete`.
    const hasArrived = request.raw.complete || request.raw.readableEnded;
    if (hasArrived || reply.statusCode < 400 || typeof payload !== "string") return payload;
    if (request.raw.headers["content-length"] === undefined && !request.raw.headers["transfer-encoding"]) {
      return payload;
    }
    reply.header("content-length", Buffer.byteLength(payload)).header("connection", "close");
    return Readable.from(sendAndDrain(payload, request.raw), { objectMode: false });
  });
}

async function* sendAndDrain(payload: string, request: IncomingMessage): AsyncGenerator<Buffer> {
  yield Buffer.from(payload);
  request.unpipe();
  // A body of tiny chunks is not worth its time.
  if (isStopped(request)) return;
  let bytes = 0;
  const ended = new AbortController();
  const end = () => ended.abort();
  onTinyChunks(request, end);
  const pause = setTimeout(end, idleMs).unref();
  request.on("data", (chunk: Buffer) => {
    pause.refresh();
    bytes += chunk.length;
    if (bytes > drainedBytes) end();
  });
  for (const event of ["end", "close", "error"]) request.once(event, end);
  request.resume();
  await wait(drainMs, undefined, { signal: ended.signal, ref: false }).catch(() => {});
  clearTimeout(pause);
}

/** The largest valid upload. */
const drainedBytes = imageLimits.bytes + 1024 ** 2;
/** Below the 20 s that `npm start` gives an API to end: a slow sender must not delay that. */
const drainMs = 15_000;
/** The longest pause of a sender. */
const idleMs = 5000;
