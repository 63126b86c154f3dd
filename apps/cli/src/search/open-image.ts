import { open } from "node:fs/promises";
import type { ErrorCode } from "@koma/contract";
import { collectBytes } from "@koma/image";

const fileLimitBytes = 128 * 1024 * 1024;
const downloadLimitBytes = 10 * 1024 * 1024;
const downloadTimeoutMs = 10_000;

/** An image of the command line, read just before its search. */
export type Image = { query: string; read(): Promise<Uint8Array> };

/** An image that cannot be read; the codes are those of the REST API. */
class ImageSourceError extends Error {
  override readonly name = "ImageSourceError";
  readonly code: ErrorCode;
  constructor(code: ErrorCode, detail: string) {
    super(detail);
    this.code = code;
  }
}

/** The image in a file or at an http(s) URL. `read` throws ImageSourceError. */
export function openImage(query: string, signal: AbortSignal): Image {
  const isAddress = /^https?:\/\//i.test(query);
  return { query, read: () => (isAddress ? download(query, signal) : readImageFile(query)) };
}

async function readImageFile(file: string): Promise<Uint8Array> {
  await using handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    throw new ImageSourceError(
      error.code === "ENOENT" || error.code === "ENOTDIR" ? "not_found" : "image_unreadable",
      error.code === "ENOENT" || error.code === "ENOTDIR"
        ? `There is no file ${file}.`
        : `The file ${file} cannot be opened (${error.code}).`,
    );
  });
  const stat = await handle.stat();
  if (!stat.isFile()) throw new ImageSourceError("invalid_request", `${file} is not a file.`);
  if (stat.size === 0) throw new ImageSourceError("image_required", `The file ${file} is empty.`);
  if (stat.size > fileLimitBytes) {
    throw new ImageSourceError("image_too_large", `The file ${file} has more than 128 MiB.`);
  }
  return await handle.readFile();
}

async function download(address: string, signal: AbortSignal): Promise<Uint8Array> {
  const timeout = AbortSignal.timeout(downloadTimeoutMs);
  try {
    const response = await fetch(address, {
      signal: AbortSignal.any([signal, timeout]),
      headers: { accept: "image/*,video/mp4,video/webm" },
    });
    if (!response.ok)
      throw new ImageSourceError("url_fetch_failed", `The URL responded with status ${response.status}.`);
    return await readLimited(response);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ImageSourceError) throw error;
    const reason = timeout.aborted ? "no response within 10 seconds" : reasonOf(error);
    throw new ImageSourceError("url_fetch_failed", `The URL could not be fetched: ${reason}.`);
  }
}

async function readLimited(response: Response): Promise<Uint8Array> {
  const bytes = await collectBytes(response.body ?? [], {
    limitBytes: downloadLimitBytes,
    createLimitError: () => new ImageSourceError("image_too_large", "The response has more than 10 MiB."),
  });
  if (bytes.length === 0) throw new ImageSourceError("image_required", "The response is empty.");
  return bytes;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
