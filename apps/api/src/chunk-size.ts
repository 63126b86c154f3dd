import type { IncomingMessage } from "node:http";
import { ApiError } from "./api-error.ts";

/**
 * Watches a body that is about to be read, and aborts with an ApiError `invalid_request` when its chunks are
 * too small. A chunk costs the HTTP parser the same time whatever its length, so 1 MB in chunks of one byte
 * costs as much as many gigabytes in ordinary ones.
 */
export function watchChunks(body: IncomingMessage): AbortSignal {
  const controller = new AbortController();
  // A first listener starts the flow of a stream that is not paused, before its reader is attached.
  body.pause();
  onTinyChunks(body, () => controller.abort(tooSmall()));
  return controller.signal;
}

/** Stops reading a body that flows when its chunks are too small, and calls `end`. */
export function onTinyChunks(body: IncomingMessage, end: () => void): void {
  let count = 0;
  let bytes = 0;
  const observe = (chunk: Buffer) => {
    count += 1;
    bytes += chunk.length;
    if (count < allowedChunks || bytes >= count * meanBytes) return;
    body.off("data", observe);
    body.unpipe();
    // libuv would read 2 MiB before it does anything else, such as to query the database for the response.
    body.socket.pause();
    stopped.add(body);
    end();
  };
  body.on("data", observe);
}

/** Whether `onTinyChunks` has stopped the reading of this body. */
export function isStopped(body: IncomingMessage): boolean {
  return stopped.has(body);
}

const stopped = new WeakSet<IncomingMessage>();

/** Enough for the shortest chunks of a slow connection before larger ones follow. */
const allowedChunks = 1000;
/** A packet of the smallest Internet path carries 536 bytes. */
const meanBytes = 128;

function tooSmall(): ApiError {
  const message = `arrives in chunks of fewer than ${meanBytes} bytes on average`;
  return new ApiError("invalid_request", `The body ${message}. Send larger chunks.`, {
    errors: [{ path: "", message }],
  });
}
