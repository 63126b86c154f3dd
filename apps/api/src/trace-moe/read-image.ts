import { addAbortSignal, type Readable } from "node:stream";
import { collectBytes, unlessAborted } from "@koma/image";
import type { FastifyRequest } from "fastify";
import { ApiError } from "../api-error.ts";
import { copyBody } from "../request-body.ts";
import type { SearchForm } from "../search/read-search-form.ts";
import type { ByteShare } from "../search/upload-budget.ts";
import { fileLimitBytes } from "./reduce-image.ts";
import { TraceMoeError } from "./trace-moe-error.ts";

/** The memory of the image; the signal ends a slow upload. */
type Upload = { share: ByteShare; signal: AbortSignal };

/**
 * The query of a trace.moe search: `url`, else the first file of a form, else the body. Throws TraceMoeError
 * and ApiError.
 */
export async function readImage(
  request: FastifyRequest,
  options: Upload & { url: string | undefined },
): Promise<SearchForm["query"]> {
  const { url } = options;
  if (url !== undefined) {
    if (!URL.canParse(url)) throw new TraceMoeError(400, `Invalid image url ${url}`);
    return { kind: "url", url };
  }
  const reading = request.isMultipart() ? readFile(request, options) : readRawBody(request, options);
  const bytes = await unlessAborted(reading, options.signal);
  if (bytes === undefined) throw new TraceMoeError(405, "Method Not Allowed");
  if (bytes.length === 0) throw new TraceMoeError(400, "Failed to process file");
  return { kind: "file", bytes };
}

async function readFile(request: FastifyRequest, upload: Upload): Promise<Buffer<ArrayBuffer> | undefined> {
  let image: Buffer<ArrayBuffer> | undefined;
  const { multipartErrors } = request.server;
  try {
    for await (const part of request.parts({
      limits: { fileSize: fileLimitBytes, files: 4, fields: 32, parts: 36 },
    })) {
      if (part.type !== "file") continue;
      if (image === undefined) image = await collect(part.file, upload);
      else part.file.resume();
    }
  } catch (error) {
    if (error instanceof ApiError) throw error;
    if (error instanceof multipartErrors.RequestFileTooLargeError) throw createLimitError();
    throw new TraceMoeError(400, "Failed to process file");
  }
  return image;
}

async function readRawBody(
  request: FastifyRequest,
  upload: Upload,
): Promise<Buffer<ArrayBuffer> | undefined> {
  const body = request.body as Readable | undefined;
  if (body === undefined || body === null) return undefined;
  if (Number(request.headers["content-length"]) > fileLimitBytes) throw createLimitError();
  const bytes = await collect(copyBody(body), upload);
  if (bytes.length === 0) return undefined;
  if (isVectorSearch(request, bytes))
    throw new TraceMoeError(400, "Search by color layout vector is not supported");
  return bytes;
}

/** trace.moe also searches by its own descriptors, which Koma does not have. */
function isVectorSearch(request: FastifyRequest, bytes: Buffer): boolean {
  return /^application\/json\b/i.test(request.headers["content-type"] ?? "") && bytes.includes('"vector"');
}

async function collect(chunks: Readable, { share, signal }: Upload): Promise<Buffer<ArrayBuffer>> {
  const body = addAbortSignal(signal, chunks);
  return await collectBytes(body, { limitBytes: fileLimitBytes, createLimitError, budget: share });
}

function createLimitError(): ApiError {
  return new ApiError("image_too_large", "The image is too large.");
}
