import { collectBytes } from "@koma/image";
import { ImageTooLargeError } from "../model/request.ts";

/** The bytes of an answer, counted as they come: what a length says may not be so. Throws PictureTooLargeError. */
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
