import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import { describeProblem } from "./problem.ts";

/** Answers what is not HTTP, or has headers beyond all measure, before any request exists. */
export function rejectUnreadableRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  // A client that keeps its half of the connection open would hold the socket.
  const timer = setTimeout(() => socket.destroy(), halfOpenMs).unref();
  socket.once("close", () => clearTimeout(timer));
  socket.resume();
  const id = randomUUID();
  const detail =
    error.code === "ERR_HTTP_REQUEST_TIMEOUT"
      ? "The request did not arrive in time."
      : "This is not a request that can be read.";
  const body = JSON.stringify(describeProblem("invalid_request", detail, id));
  socket.end(
    [
      "HTTP/1.1 400 Bad Request",
      "content-type: application/problem+json; charset=utf-8",
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${id}`,
      "connection: close",
      "",
      body,
    ].join("\r\n"),
  );
}

const halfOpenMs = 2000;
