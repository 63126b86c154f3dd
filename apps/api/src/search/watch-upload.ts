import type { IncomingMessage } from "node:http";
import { watchChunks } from "../chunk-size.ts";
import type { UploadBudget } from "./upload-budget.ts";

/**
 * Watches the upload of a request that is about to be read, until `share.finish`. The signal aborts with
 * ApiError `upload_too_slow`, and with `invalid_request` for tiny chunks.
 */
export function watchUpload(request: IncomingMessage, share: ReturnType<UploadBudget["open"]>): AbortSignal {
  // A closed socket has no counter.
  const progress = share.start(() => request.socket.bytesRead ?? 0);
  return AbortSignal.any([progress, watchChunks(request)]);
}
