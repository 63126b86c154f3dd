import { collectBytes } from "@koma/image";
import { ImageTooLargeError } from "../model/request.ts";

/**
 * Reads the bytes of a response and counts them, because the stated length can be wrong. Throws
 * ImageTooLargeError.
 */
export async function readBounded(response: Response, limitBytes: number): Promise<Uint8Array> {
  if (Number(response.headers.get("content-length") ?? 0) > limitBytes) {
    await response.body?.cancel();
    throw new ImageTooLargeError(limitBytes);
  }
  return await collectBytes(response.body ?? [], {
    limitBytes,
    createLimitError: () => new ImageTooLargeError(limitBytes),
  });
}
