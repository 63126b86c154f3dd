import { type ByteBudget, collectBytes } from "@koma/image";
import type { Dispatcher } from "undici";
import { type CheckedUrl, checkImageUrl } from "./check-image-url.ts";
import { fetchFailed, ImageFetchError } from "./image-fetch-error.ts";
import type { ImageNetwork } from "./network.ts";
import { openClient } from "./open-client.ts";

/** The maximum number of redirects. */
const redirectLimit = 3;

export type FetchImage = ReturnType<typeof createImageFetch>;

/**
 * Fetches the image at an address from an untrusted caller. Every hop is checked after resolution and the
 * connection goes to a checked address, so DNS rebinding has no effect. `share`, if there is one, accounts for its bytes and its errors are thrown unchanged.
 * Throws ImageFetchError.
 */
export function createImageFetch(options: {
  network: ImageNetwork;
  limitBytes: number;
  timeoutMs: number;
  userAgent: string;
}) {
  return async function fetchImage(
    address: string,
    { share, signal }: { share?: ByteBudget | undefined; signal: AbortSignal },
  ): Promise<Uint8Array> {
    signal.throwIfAborted();
    const timeout = AbortSignal.timeout(options.timeoutMs);
    const stop = AbortSignal.any([signal, timeout]);
    try {
      let hop = await checkImageUrl(address, undefined, options.network, stop);
      for (let redirects = 0; redirects <= redirectLimit; redirects++) {
        const response = await fetchHop(hop, share, stop);
        if (response.bytes !== undefined) return response.bytes;
        hop = await checkImageUrl(response.location, hop.url, options.network, stop);
      }
    } catch (error) {
      if (error instanceof ImageFetchError) throw error;
      if (error instanceof BudgetError) throw error.cause;
      signal.throwIfAborted();
      throw fetchFailed(
        timeout.aborted
          ? "The download took too long."
          : "The server could not be reached or closed the connection.",
      );
    }
    throw fetchFailed(`The address was redirected more than ${redirectLimit} times.`);
  };

  async function fetchHop(
    hop: CheckedUrl,
    share: ByteBudget | undefined,
    signal: AbortSignal,
  ): Promise<HopResponse> {
    const { network, timeoutMs } = options;
    const client = await openClient(hop, { network, idleMs: timeoutMs }, signal);
    try {
      const response = await client.request({
        method: "GET",
        path: `${hop.url.pathname}${hop.url.search}`,
        headers: {
          accept:
            "image/jpeg,image/png,image/webp,image/avif,image/gif,image/bmp,video/mp4,video/webm,image/*;q=0.5",
          "accept-encoding": "identity",
          "user-agent": options.userAgent,
        },
        signal,
      });
      response.body.on("error", () => {});
      return await readResponse(response, options.limitBytes, share);
    } finally {
      await client.destroy();
    }
  }
}

type HopResponse = { bytes: Uint8Array } | { bytes?: undefined; location: string };

async function readResponse(
  response: Dispatcher.ResponseData,
  limitBytes: number,
  share: ByteBudget | undefined,
): Promise<HopResponse> {
  const { statusCode, headers, body } = response;
  if ([301, 302, 303, 307, 308].includes(statusCode)) {
    if (typeof headers.location !== "string") throw fetchFailed("The redirect has no target.");
    return { location: headers.location };
  }
  if (statusCode !== 200) throw fetchFailed(`The server responded with status ${statusCode}.`);
  if (Number(headers["content-length"]) > limitBytes) throw tooLarge();
  return {
    bytes: await collectBytes(body, {
      limitBytes,
      createLimitError: tooLarge,
      ...(share && { budget: guard(share) }),
    }),
  };
}

/** Marks the errors of the budget, which are the caller's own. */
class BudgetError extends Error {}

function guard(budget: ByteBudget): ByteBudget {
  return {
    take(bytes) {
      try {
        budget.take(bytes);
      } catch (cause) {
        throw new BudgetError("The budget is exhausted.", { cause });
      }
    },
    release: (bytes) => budget.release(bytes),
  };
}

function tooLarge(): ImageFetchError {
  return new ImageFetchError("image_too_large", "The image at the address is larger than 10 MiB.");
}
