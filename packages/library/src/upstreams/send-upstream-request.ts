import type { MatchSource } from "@koma/contract";
import { collectBytes } from "@koma/image";
import { readRetryAfter } from "../read-retry-after.ts";
import { createKomaRequest, readKomaResponse } from "./koma.ts";
import { createTraceMoeRequest, readTraceMoeResponse } from "./trace-moe.ts";
import { UpstreamResponseError, type UpstreamResult } from "./upstream-result.ts";

/** Another service that searches images: a Koma, or one with the API of trace.moe. */
export type Upstream = { kind: "koma" | "tracemoe"; url: string; key?: string | undefined };

/** The service asks for a pause of this length. */
export class UpstreamPauseError extends Error {
  override readonly name = "UpstreamPauseError";
  readonly seconds: number;

  constructor(status: number, seconds: number) {
    super(`The service responded with status ${status} and gets no request for ${seconds} s.`);
    this.seconds = seconds;
  }
}

/** The name and the page of a service. */
export function describeSource({ kind, url }: Upstream): MatchSource {
  const { hostname, host } = new URL(url);
  if (kind === "tracemoe" && hostname === "api.trace.moe")
    return { name: "trace.moe", url: "https://trace.moe" };
  return { name: host, url };
}

/**
 * Searches an image at another service with one request. Redirects are not followed, because the operator chose the
 * address. Throws UpstreamPauseError, UpstreamResponseError, the error of the connection, and the reason of the signal.
 */
export async function sendUpstreamRequest(
  { kind, url, key }: Upstream,
  image: Blob,
  { userAgent, signal }: { userAgent: string; signal: AbortSignal },
): Promise<UpstreamResult> {
  const create = kind === "koma" ? createKomaRequest : createTraceMoeRequest;
  const read = kind === "koma" ? readKomaResponse : readTraceMoeResponse;
  const { path, body, headers } = create(image, key);
  const response = await fetch(`${url}${path}`, {
    method: "POST",
    body,
    headers: { accept: "application/json", "user-agent": userAgent, ...headers },
    redirect: "manual",
    signal,
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw toError(response);
  }
  return read(await readJson(response), describeSource({ kind, url }));
}

/** Five matches of a Koma with their occurrences have about 40 kB. */
const responseLimitBytes = 256 * 1024;

async function readJson(response: Response): Promise<unknown> {
  const bytes = await collectBytes(response.body ?? [], {
    limitBytes: responseLimitBytes,
    createLimitError: () => new UpstreamResponseError("The response is too large."),
  });
  try {
    return JSON.parse(bytes.toString());
  } catch (cause) {
    throw new UpstreamResponseError("The response is not JSON.", { cause });
  }
}

/** trace.moe sends 402 for an exhausted quota and for concurrent requests, without `Retry-After`. */
const quotaPauseSeconds = 600;
const longestPauseSeconds = 86_400;

function toError({ status, headers }: Response): Error {
  const seconds = readRetryAfter(headers);
  if (status === 402 || status === 429 || seconds !== undefined) {
    const pauseSeconds = Math.max(1, Math.ceil(seconds ?? quotaPauseSeconds));
    return new UpstreamPauseError(status, Math.min(pauseSeconds, longestPauseSeconds));
  }
  return new UpstreamResponseError(`The service responded with status ${status}.`);
}
