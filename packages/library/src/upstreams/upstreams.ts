import { createHash } from "node:crypto";
import type { MatchSource } from "@koma/contract";
import { createQueue } from "../previews/create-queue.ts";
import { prepareUpstreamImage } from "./prepare-upstream-image.ts";
import {
  describeSource,
  sendUpstreamRequest,
  type Upstream,
  UpstreamPauseError,
} from "./send-upstream-request.ts";
import type { UpstreamResult } from "./upstream-result.ts";

/** A search at other services. */
export type UpstreamSearch = {
  /** The image as it was sent, or the frame of a video. */
  bytes: Uint8Array;
  /** The time of the searched frame of an animation. */
  atSeconds: number | undefined;
  /** Counts a request before it is sent; false: the caller or the day has none left. */
  takeRequest: () => Promise<boolean>;
  /** A shorter time limit of this search. */
  limitMs?: number | undefined;
  signal: AbortSignal;
};

export type UpstreamsOptions = {
  /** The services in the order in which they are asked. */
  upstreams: readonly Upstream[];
  userAgent: string;
  onLog: (message: string) => void;
  /** The time limit of a search at all services together. Default 8 s. */
  timeoutMs?: number | undefined;
  now?: (() => number) | undefined;
};

/** The other services that search an image that the library does not have. */
export type Upstreams = ReturnType<typeof createUpstreams>;

export function createUpstreams(options: UpstreamsOptions) {
  const { timeoutMs = 8000, now = Date.now } = options;
  // Three images at once would need three times the memory of the decoder.
  const decoding = createWaitingQueue(1);
  const services = options.upstreams.map((upstream) => createService(upstream, { ...options, now }));

  return {
    /** The names and pages of the services. */
    sources: services.map(({ source }): MatchSource => source),

    /** The services that failed each search for at least this time, and at least three. */
    listDown: (forMs: number): MatchSource[] =>
      services.filter((service) => service.isDown(forMs)).map(({ source }) => source),

    /**
     * The result of the first service that found the scene, otherwise of the first that is uncertain, otherwise that
     * it is not in their libraries; undefined when no service responded. Throws the reason of the signal.
     */
    async search(query: UpstreamSearch): Promise<UpstreamResult | undefined> {
      const { bytes, atSeconds, takeRequest, limitMs = timeoutMs, signal } = query;
      if (limitMs < 1) return undefined;
      const timeout = AbortSignal.timeout(Math.floor(Math.min(timeoutMs, limitMs)));
      const stop = AbortSignal.any([signal, timeout]);
      const key = createHash("sha256").update(bytes).digest("base64url");
      let prepared: Promise<Blob> | undefined;
      const prepare = () => {
        prepared ??= decoding.run(async () => await toBlob(bytes, atSeconds));
        return prepared;
      };
      let best: UpstreamResult | undefined;
      for (const service of services) {
        if (timeout.aborted) break;
        const result = await service.search({ key, prepare, takeRequest, signal: stop });
        signal.throwIfAborted();
        if (result?.outcome === "found") return result;
        if (result !== undefined && (best === undefined || best.outcome === "not_in_library")) best = result;
      }
      return best;
    },
  };
}

async function toBlob(bytes: Uint8Array, atSeconds: number | undefined): Promise<Blob> {
  const image = await prepareUpstreamImage(bytes, atSeconds);
  return new Blob([new Uint8Array(image)], { type: "image/jpeg" });
}

type ServiceSearch = {
  key: string;
  prepare: () => Promise<Blob>;
  takeRequest: () => Promise<boolean>;
  signal: AbortSignal;
};

/** The free tier of trace.moe has one search at once. */
const atOnce = { koma: 2, tracemoe: 1 } as const;
/** A search that waits ends with its time limit, because those before it end earlier. */
const waitingLimit = 20;
const failuresBeforePause = 3;
const failurePauseMs = 300_000;

/** One service: its concurrent requests, its pauses after failures, and its recent results. */
function createService(upstream: Upstream, o: UpstreamsOptions & { now: () => number }) {
  const source = describeSource(upstream);
  const results = createResultCache(o.now);
  const queue = createWaitingQueue(atOnce[upstream.kind]);
  let pausedUntilMs = 0;
  let failures = 0;
  let failingSinceMs: number | undefined;

  return {
    source,
    isDown: (forMs: number): boolean =>
      failingSinceMs !== undefined && failures >= failuresBeforePause && o.now() - failingSinceMs >= forMs,
    /** The result of the service; undefined when there is none. */
    async search(search: ServiceSearch): Promise<UpstreamResult | undefined> {
      const known = results.find(search.key);
      if (known !== undefined || isPaused()) return known;
      try {
        return await queue.run(async () => await searchNow(search));
      } catch (error) {
        if (!isLeft(search.signal)) o.onLog(`${source.name} was not searched: ${reasonOf(error)}`);
        return undefined;
      }
    },
  };

  async function searchNow(search: ServiceSearch): Promise<UpstreamResult | undefined> {
    const { key, prepare, takeRequest, signal } = search;
    // Another search of the same image may have ended while this one waited.
    const known = results.find(key);
    if (known !== undefined || isPaused() || signal.aborted) return known;
    const image = await prepare();
    if (signal.aborted || !(await takeRequest())) return undefined;
    try {
      const result = await sendUpstreamRequest(upstream, image, { userAgent: o.userAgent, signal });
      failures = 0;
      failingSinceMs = undefined;
      results.add(key, result);
      return result;
    } catch (error) {
      if (!isLeft(signal)) pause(error);
      throw error;
    }
  }

  function isPaused(): boolean {
    return o.now() < pausedUntilMs;
  }

  function pause(error: unknown): void {
    if (!(error instanceof UpstreamPauseError)) {
      failures += 1;
      failingSinceMs ??= o.now();
    }
    // After a pause of this length, the first failure begins the next one.
    const failureMs = failures >= failuresBeforePause ? failurePauseMs : 0;
    const pauseMs = error instanceof UpstreamPauseError ? error.seconds * 1000 : failureMs;
    pausedUntilMs = Math.max(pausedUntilMs, o.now() + pauseMs);
  }
}

function createWaitingQueue(concurrency: number) {
  const createBusyError = () => new Error("Too many searches wait.");
  return createQueue({ concurrency, maxQueued: waitingLimit, createBusyError });
}

const cachedMs = 24 * 3_600_000;
const cachedResults = 500;

/** Results of a day, by the content of their image, in memory: a restart costs one request per image. */
function createResultCache(now: () => number) {
  const results = new Map<string, { atMs: number; result: UpstreamResult }>();
  return {
    find(key: string): UpstreamResult | undefined {
      const cached = results.get(key);
      return cached !== undefined && now() - cached.atMs < cachedMs ? cached.result : undefined;
    },
    add(key: string, result: UpstreamResult): void {
      results.delete(key);
      results.set(key, { atMs: now(), result });
      const [oldest] = results.keys();
      if (results.size > cachedResults && oldest !== undefined) results.delete(oldest);
    },
  };
}

/** Whether the caller has disconnected, which is no failure of a service; a time limit is one. */
function isLeft({ aborted, reason }: AbortSignal): boolean {
  return aborted && !(reason instanceof DOMException && reason.name === "TimeoutError");
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
