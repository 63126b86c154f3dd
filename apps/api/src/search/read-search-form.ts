import { addAbortSignal } from "node:stream";
import type { MultipartFile } from "@fastify/multipart";
import { searchAnime } from "@koma/contract";
import { collectBytes, unlessAborted } from "@koma/image";
import type { FastifyRequest } from "fastify";
import type { z } from "zod";
import { ApiError, invalidRequest } from "../api-error.ts";
import { check } from "../check.ts";
import type { ByteShare } from "./upload-budget.ts";

/** The query of a search: exactly one image, and its options. */
export type SearchForm = {
  query: { kind: "file"; bytes: Uint8Array<ArrayBuffer> } | { kind: "url"; url: string };
  animeId?: string | undefined;
  isPublic: boolean;
  trimBorders: boolean;
  /** The image may be sent to other services. */
  upstream: boolean;
};

/**
 * Reads a search's multipart body. An empty `image`, `url` or `animeId` counts as not sent. Throws ApiError.
 */
export async function readSearchForm(
  request: FastifyRequest,
  options: { limitBytes: number; share: ByteShare; signal: AbortSignal },
): Promise<SearchForm> {
  if (!request.isMultipart()) throw missingImage();
  if (Number(request.headers["content-length"]) > options.limitBytes + formBytes) throw tooLarge();
  const { image, written } = await unlessAborted(readParts(request, options), options.signal);
  const fields = check(searchAnime.form.fields, written) as z.output<typeof searchAnime.form.fields>;
  const { url, ...others } = fields;
  if (image !== undefined && url !== undefined) {
    throw new ApiError("image_and_url", "Send image or url, not both.");
  }
  if (image !== undefined) return { query: { kind: "file", bytes: image }, ...others };
  if (url !== undefined) return { query: { kind: "url", url }, ...others };
  throw missingImage();
}

/** Room for the other fields and the boundaries. */
const formBytes = 256 * 1024;

async function readParts(
  request: FastifyRequest,
  options: { limitBytes: number; share: ByteShare; signal: AbortSignal },
) {
  let image: Uint8Array<ArrayBuffer> | undefined;
  const written: Record<string, string> = {};
  try {
    for await (const part of request.parts({
      limits: {
        fileSize: options.limitBytes,
        fieldSize: 16 * 1024,
        files: 4,
        fields: 32,
        parts: 36,
        headerPairs: 50,
      },
      // Some clients send the image without a file name, so the field's name decides.
      isPartAFile: (name) => name === "image",
    })) {
      if (part.type === "file") {
        const read = await readImage(part, options);
        if (read !== undefined && image !== undefined) throw invalidRequest("image", "was sent twice");
        image ??= read;
      } else if (Object.hasOwn(searchAnime.form.fields.shape, part.fieldname)) {
        if (typeof part.value !== "string") throw invalidRequest(part.fieldname, "must be text");
        const value = part.value.trim();
        // An empty `isPublic` is rejected, because publication requires an explicit value.
        if (value === "" && part.fieldname !== "isPublic") continue;
        if (written[part.fieldname] !== undefined) throw invalidRequest(part.fieldname, "was sent twice");
        written[part.fieldname] = value;
      }
    }
  } catch (error) {
    throw toFormError(error, request);
  }
  return { image, written };
}

async function readImage(
  part: MultipartFile,
  { limitBytes, share, signal }: { limitBytes: number; share: ByteShare; signal: AbortSignal },
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const bytes = await collectBytes(addAbortSignal(signal, part.file), {
    limitBytes,
    createLimitError: tooLarge,
    budget: share,
  });
  return bytes.length === 0 ? undefined : bytes;
}

function toFormError(error: unknown, request: FastifyRequest): unknown {
  if (error instanceof ApiError) return error;
  if (error instanceof request.server.multipartErrors.RequestFileTooLargeError) return tooLarge();
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const message = formErrors[code] ?? "is truncated, or no multipart/form-data";
  return new ApiError("invalid_request", `The body ${message}.`, { errors: [{ path: "", message }] });
}

/** Plain messages for the errors of the form parser. */
const formErrors: Record<string, string | undefined> = {
  FST_FIELDS_LIMIT: "has too many fields",
  FST_FILES_LIMIT: "has too many files",
  FST_PARTS_LIMIT: "has too many parts",
  FST_INVALID_JSON_FIELD_ERROR: "has a field that is not text",
  FST_PROTO_VIOLATION: "has a field with a name that is not allowed",
};

function missingImage(): ApiError {
  return new ApiError("image_required", "Send an image as image, or its address as url.");
}

function tooLarge(): ApiError {
  return new ApiError("image_too_large", "The image is larger than 10 MiB.");
}
