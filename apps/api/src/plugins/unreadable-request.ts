import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import { describeProblem } from "./problem.ts";

/** Responds to data that is not HTTP, or whose headers are too long, before a request exists. */
export function rejectUnreadableRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  // A client that keeps its side of the connection open would hold the socket.
  const timer = setTimeout(() => socket.destroy(), halfOpenMs).unref();
  socket.once("close", () => clearTimeout(timer));
  socket.resume();
  const id = randomUUID();
  const detail =
    error.code === "ERR_HTTP_REQUEST_TIMEOUT"
      ? "The request did not arrive in time."
      : "The request is not valid HTTP.";
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
