import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { imageLimits } from "@koma/library";
import type { FastifyInstance } from "fastify";

/**
 * Refusals that are out before the request has arrived (a limit that is reached, say, while a picture is uploaded): the answer
 * goes out at once and whole, but what the client still sends is taken and thrown away for a while before the connection is
 * closed. Closed at once, the client would find it broken, and the answer lost with it.
 */
export function registerEarlyResponses(app: FastifyInstance): void {
  app.addHook("onSend", async (request, reply, payload) => {
    // Requests from inside this process have no `complete`.
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
  let bytes = 0;
  const ended = new AbortController();
  const end = () => ended.abort();
  request.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > drainedBytes) end();
  });
  for (const event of ["end", "close", "error"]) request.once(event, end);
  request.resume();
  await wait(drainMs, undefined, { signal: ended.signal, ref: false }).catch(() => {});
}

/** The largest upload that could have been meant seriously, and how long it may take. */
const drainedBytes = imageLimits.bytes + 1024 ** 2;
const drainMs = 5000;
