import { PassThrough, type Readable } from "node:stream";
import type { Endpoint } from "@koma/contract";
import { collectBytes } from "@koma/image";
import { errorCodes, type FastifyInstance, type FastifyRequest } from "fastify";
import { ApiError } from "./api-error.ts";
import { watchChunks } from "./chunk-size.ts";
import { unlessAborted } from "./unless-aborted.ts";

const jsonLimitBytes = 16 * 1024;
const rawLimitBytes = 512 * 1024;

/** Registers the body parser of an endpoint's scope, and no others. */
export function acceptBody(scope: FastifyInstance, endpoint: Endpoint): void {
  if (endpoint.form !== undefined) {
    refuseOthers(scope, "multipart/form-data");
    return;
  }
  scope.removeAllContentTypeParsers();
  if (endpoint.json !== undefined) {
    scope.addContentTypeParser("application/json", async (request: FastifyRequest, body: Readable) =>
      readJson(await readBody(request, body, jsonLimitBytes)),
    );
    refuseOthers(scope, "application/json");
  } else if (endpoint.raw !== undefined) {
    const limitBytes = endpoint.raw.limitBytes ?? rawLimitBytes;
    scope.addContentTypeParser("*", (request: FastifyRequest, body: Readable) =>
      readBody(request, body, limitBytes),
    );
  } else {
    // Some clients send a content type, or an empty object, with every request.
    scope.addContentTypeParser("*", async () => undefined);
  }
}

/**
 * Reads a body into memory of its own size, however small its chunks are; Fastify's readers retain the
 * chunks. Throws the same errors as they do for a body longer than `limitBytes`, and
 * ApiError `invalid_request` for tiny chunks.
 */
export async function readBody(request: FastifyRequest, body: Readable, limitBytes: number): Promise<Buffer> {
  const createLimitError = () => new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
  if (Number(request.headers["content-length"]) > limitBytes) throw createLimitError();
  const signal = watchChunks(request.raw);
  return await unlessAborted(collectBytes(copyBody(body), { limitBytes, createLimitError }), signal);
}

/** A copy of a body. Destroying the body of a request would destroy its connection, and the response with it. */
export function copyBody(body: Readable): Readable {
  const copy = new PassThrough();
  body.once("error", (error) => copy.destroy(error));
  return body.pipe(copy);
}

function refuseOthers(scope: FastifyInstance, contentType: string): void {
  scope.addContentTypeParser("*", async () => {
    throw new ApiError("unsupported_media_type", `Send ${contentType}.`);
  });
}

function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw new ApiError("invalid_request", "The body is not JSON.");
  }
}
