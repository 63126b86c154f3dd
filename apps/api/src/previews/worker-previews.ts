import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { open } from "node:fs/promises";
import { get, type IncomingMessage } from "node:http";
import { pipeline } from "node:stream/promises";
import type { Database } from "@koma/database";
import {
  createPreviewRequests,
  type FetchPreview,
  PreviewGoneError,
  type PreviewRequest,
  PreviewUnavailableError,
  workerLeaseSeconds,
} from "@koma/library";

const maxWorkers = 3;
const limitBytes: Record<PreviewRequest["kind"], number> = { still: 8 * 1024 ** 2, clip: 128 * 1024 ** 2 };

/**
 * Fetches previews from workers that have the videos. The addresses are those that workers have registered in
 * the database. At most three of them have `totalMs` to respond, which is divided among them: with 102 when
 * they begin to cut the preview. A still must be complete in this time, because a stored one replaces it.
 */
export function createWorkerPreviews(options: {
  workers: Pick<Database["indexQueue"], "listPreviewAddresses">;
  key: Buffer;
  onLog: (message: string) => void;
  totalMs?: number;
}): FetchPreview {
  const { workers, onLog, totalMs = 3000 } = options;
  const requests = createPreviewRequests({ key: options.key });

  return async function fetchPreview({ request, path, outputFile, signal }) {
    const deadline = performance.now() + totalMs;
    const addresses = await workers.listPreviewAddresses(path, {
      seenWithinSeconds: workerLeaseSeconds,
      limit: maxWorkers,
    });
    let missing = 0;
    for (const [index, address] of addresses.entries()) {
      const leftMs = deadline - performance.now();
      if (leftMs <= 0) break;
      const limitMs = leftMs / (addresses.length - index);
      try {
        await fetchFrom(address, { request, outputFile, signal, leftMs, limitMs });
        return;
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof StatusError && error.status === 404) missing += 1;
        else onLog(`The worker at ${address} returns no preview: ${describe(error)}`);
      }
    }
    if (missing > 0 && missing === addresses.length) {
      throw new PreviewGoneError("The workers of this folder do not have the video.");
    }
    throw new PreviewUnavailableError();
  };

  async function fetchFrom(
    address: string,
    o: { request: PreviewRequest; outputFile: string; signal: AbortSignal; leftMs: number; limitMs: number },
  ): Promise<void> {
    const { kind } = o.request;
    if (!/^[\w.:[\]-]+:\d+$/.test(address)) throw new Error("the address is invalid");
    const limit = createTimeLimit(o.limitMs);
    const signal = AbortSignal.any([o.signal, limit.signal]);
    try {
      const sent = get(`http://${address}${requests.write(address, o.request)}`, { agent: false, signal });
      const startedAt = performance.now();
      sent.on("information", () =>
        kind === "still" ? limit.extend(o.leftMs - (performance.now() - startedAt)) : limit.end(),
      );
      const [response] = (await once(sent, "response")) as [IncomingMessage];
      if (kind === "clip") limit.end();
      checkHead(response, kind);
      await pipeline(response, limitSize(limitBytes[kind]), createWriteStream(o.outputFile), { signal });
      await checkContent(o.outputFile, kind);
    } catch (error) {
      throw limit.signal.aborted ? new Error("it did not respond in time") : error;
    } finally {
      limit.end();
    }
  }
}

class StatusError extends Error {
  readonly status: number | undefined;

  constructor(status: number | undefined) {
    super(`it responded with ${status}`);
    this.status = status;
  }
}

function checkHead({ statusCode, headers }: IncomingMessage, kind: PreviewRequest["kind"]): void {
  if (statusCode !== 200) throw new StatusError(statusCode);
  const expected = kind === "still" ? "image/jpeg" : "video/mp4";
  if (headers["content-type"] !== expected) throw new Error(`it did not respond with ${expected}`);
}

/** Checks the first bytes: those of a JPEG, or the `ftyp` box of an MP4. */
async function checkContent(path: string, kind: PreviewRequest["kind"]): Promise<void> {
  const file = await open(path);
  const { buffer } = await file.read(Buffer.alloc(8), 0, 8, 0).finally(() => file.close());
  const isExpected =
    kind === "still" ? buffer.readUIntBE(0, 3) === 0xffd8ff : buffer.toString("latin1", 4) === "ftyp";
  if (!isExpected) throw new Error(`the content is no ${kind}`);
}

function limitSize(bytes: number) {
  return async function* limited(source: AsyncIterable<Buffer>) {
    let received = 0;
    for await (const chunk of source) {
      received += chunk.length;
      if (received > bytes) throw new Error(`the content has more than ${bytes} bytes`);
      yield chunk;
    }
  };
}

function createTimeLimit(ms: number) {
  const controller = new AbortController();
  let timer = setTimeout(() => controller.abort(), ms);
  return {
    signal: controller.signal,
    extend(newMs: number): void {
      clearTimeout(timer);
      timer = setTimeout(() => controller.abort(), newMs);
    },
    end: (): void => clearTimeout(timer),
  };
}

function describe(error: unknown): string {
  if (error instanceof StatusError && error.status === 403) {
    return "it rejects the signature. All processes need the same KOMA_SECRET, and clocks that differ by less than 30 s";
  }
  return error instanceof Error ? error.message : String(error);
}
