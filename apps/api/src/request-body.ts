import { PassThrough, type Readable } from "node:stream";
import type { Endpoint } from "@koma/contract";
import { collectBytes, unlessAborted } from "@koma/image";
import { errorCodes, type FastifyInstance, type FastifyRequest } from "fastify";
import { ApiError } from "./api-error.ts";
import { watchChunks } from "./chunk-size.ts";
import { readClientNetwork } from "./client-network.ts";
import type { ByteShare, UploadBudget } from "./search/upload-budget.ts";
import { watchUpload } from "./search/watch-upload.ts";

const jsonLimitBytes = 16 * 1024;
const rawLimitBytes = 512 * 1024;

/**
 * Registers the body parser of an endpoint's scope, and no others. With `uploads`, an unparsed body counts for
 * that budget until the response is sent.
 */
export function acceptBody(scope: FastifyInstance, endpoint: Endpoint, uploads?: UploadBudget): void {
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
    const shares = new WeakMap<FastifyRequest, ReturnType<UploadBudget["open"]>>();
    scope.addHook("onResponse", async (request) => shares.get(request)?.close());
    scope.addContentTypeParser("*", async (request: FastifyRequest, body: Readable) => {
      if (uploads === undefined) return await readBody(request, body, limitBytes);
      const network = readClientNetwork(request);
      const share = uploads.open({ caller: network, network });
      shares.set(request, share);
      const signal = watchUpload(request.raw, share);
      const bytes = await readBody(request, body, limitBytes, { share, signal });
      share.finish();
      return bytes;
    });
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
export async function readBody(
  request: FastifyRequest,
  body: Readable,
  limitBytes: number,
  upload?: { share: ByteShare; signal: AbortSignal },
): Promise<Buffer> {
  const createLimitError = () => new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
  if (Number(request.headers["content-length"]) > limitBytes) throw createLimitError();
  const signal = upload?.signal ?? watchChunks(request.raw);
  const limits = { limitBytes, createLimitError, ...(upload && { budget: upload.share }) };
  return await unlessAborted(collectBytes(copyBody(body), limits), signal);
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
