import { open } from "node:fs/promises";
import { basename } from "node:path";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "../api-error.ts";

/**
 * Responds with a file, or with the one part that `Range` requests (RFC 9110, section 14). Resolves when the
 * response has begun. It does not return the reply, because Fastify's replies are thenable and would be
 * awaited.
 */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: { path: string; contentType: string; maxAgeSeconds: number; canChange?: boolean },
): Promise<void> {
  const handle = await open(file.path);
  try {
    const { size } = await handle.stat();
    // The tag omits the modification time, because the cache updates it on access. The file name identifies
    // the content.
    const etag = `"${basename(file.path)}-${size.toString(36)}"`;
    const range = isRangeMeant(request, etag) ? parseRange(request.headers.range ?? "", size) : undefined;
    reply
      .type(file.contentType)
      .header("accept-ranges", "bytes")
      .header(
        "cache-control",
        `public, max-age=${Math.floor(file.maxAgeSeconds)}${file.canChange ? "" : ", immutable"}`,
      )
      .header("etag", etag);
    if (request.headers["if-none-match"] === etag) {
      await handle.close();
      reply.code(304).send();
      return;
    }
    if (range === "outside") {
      reply.header("content-range", `bytes */${size}`);
      throw new ApiError("range_not_satisfiable", `The file has ${size} bytes.`);
    }
    if (range !== undefined)
      reply.code(206).header("content-range", `bytes ${range.start}-${range.end}/${size}`);
    reply.header("content-length", range === undefined ? size : range.end - range.start + 1);
    reply.send(handle.createReadStream(range));
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function isRangeMeant(request: FastifyRequest, etag: string): boolean {
  const condition = request.headers["if-range"];
  return request.headers.range !== undefined && (condition === undefined || condition === etag);
}

/** One range of bytes; undefined (the whole file) for unsupported forms such as several ranges. */
function parseRange(header: string, size: number): { start: number; end: number } | "outside" | undefined {
  const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.replace(/\s/g, "")) ?? [];
  if (first === "" && last === "") return undefined;
  if (first === "")
    return Number(last) === 0 ? "outside" : { start: Math.max(0, size - Number(last)), end: size - 1 };
  if (last !== "" && Number(last) < Number(first)) return undefined;
  if (Number(first) >= size) return "outside";
  return {
    start: Number(first),
    end: last === "" ? size - 1 : Math.min(Number(last), size - 1),
  };
}
