import { open } from "node:fs/promises";
import type { ErrorCode } from "@koma/contract";
import { collectBytes } from "@koma/image";

const fileLimitBytes = 128 * 1024 * 1024;
const downloadLimitBytes = 10 * 1024 * 1024;
const downloadTimeoutMs = 10_000;

/** A picture named on the command line, read when its turn comes. */
export type Image = { query: string; read(): Promise<Uint8Array> };

/** A picture that cannot be had; codes as in the REST API. */
class ImageSourceError extends Error {
  override readonly name = "ImageSourceError";
  readonly code: ErrorCode;
  constructor(code: ErrorCode, detail: string) {
    super(detail);
    this.code = code;
  }
}

/** The picture in a file or at an http(s) address. `read` throws PictureSourceError. */
export function openImage(query: string, signal: AbortSignal): Image {
  const isAddress = /^https?:\/\//i.test(query);
  return { query, read: () => (isAddress ? download(query, signal) : readImageFile(query)) };
}

async function readImageFile(file: string): Promise<Uint8Array> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    throw new ImageSourceError(
      error.code === "ENOENT" || error.code === "ENOTDIR" ? "not_found" : "image_unreadable",
      error.code === "ENOENT" || error.code === "ENOTDIR"
        ? `There is no file ${file}.`
        : `The file ${file} cannot be opened (${error.code}).`,
    );
  });
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw new ImageSourceError("invalid_request", `${file} is not a file.`);
    if (stat.size === 0) throw new ImageSourceError("image_required", `The file ${file} is empty.`);
    if (stat.size > fileLimitBytes) {
      throw new ImageSourceError("image_too_large", `The file ${file} has more than 128 MiB.`);
    }
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

async function download(address: string, signal: AbortSignal): Promise<Uint8Array> {
  // Not AbortSignal.any over AbortSignal.timeout: Node 20 may collect the timeout as garbage, and it never comes.
  const deadline = new AbortController();
  const end = () => deadline.abort();
  const timer = setTimeout(end, downloadTimeoutMs);
  signal.addEventListener("abort", end, { once: true });
  try {
    signal.throwIfAborted();
    const response = await fetch(address, {
      signal: deadline.signal,
      headers: { accept: "image/jpeg, image/png" },
    });
    if (!response.ok)
      throw new ImageSourceError("url_fetch_failed", `The address answered ${response.status}.`);
    return await readLimited(response);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ImageSourceError) throw error;
    const reason = deadline.signal.aborted ? "no answer within 10 seconds" : reasonOf(error);
    throw new ImageSourceError("url_fetch_failed", `The address could not be fetched: ${reason}.`);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
  }
}

async function readLimited(response: Response): Promise<Uint8Array> {
  const bytes = await collectBytes(response.body ?? [], {
    limitBytes: downloadLimitBytes,
    createLimitError: () => new ImageSourceError("image_too_large", "The address sends more than 10 MiB."),
  });
  if (bytes.length === 0) throw new ImageSourceError("image_required", "The address sends nothing.");
  return bytes;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
