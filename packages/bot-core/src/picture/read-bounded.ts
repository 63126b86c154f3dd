import { PictureTooLargeError } from "../model/request.ts";

/** The bytes of an answer, counted as they come: what a length says may not be so. Throws PictureTooLargeError. */
export async function readBounded(response: Response, limitBytes: number): Promise<Uint8Array> {
  if (Number(response.headers.get("content-length") ?? 0) > limitBytes) {
    await response.body?.cancel();
    throw new PictureTooLargeError(limitBytes);
  }
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    if (size > limitBytes) throw new PictureTooLargeError(limitBytes);
    parts.push(part);
  }
  return Buffer.concat(parts, size);
}
