import { deriveKey } from "@koma/accounts";
import type { Configuration } from "@koma/config";
import type { Database } from "@koma/database";
import { createImageFetch, type ImageNetwork, publicNetwork } from "@koma/image-fetch";
import {
  chooseWorkerCount,
  imageLimits,
  type LibrarySearch,
  type Previews,
  readMemoryLimit,
  type Upstreams,
} from "@koma/library";
import type { FastifyBaseLogger } from "fastify";
import { createCalendar } from "../calendar.ts";
import type { ApiMetrics } from "../metrics/api-metrics.ts";
import type { PreviewAddresses } from "../previews/preview-addresses.ts";
import { createConfiguredUpstreams } from "./configured-upstreams.ts";
import { createConfirmTokens } from "./confirm-tokens.ts";
import { createIdempotentResponses } from "./idempotent-responses.ts";
import { createMissingScenes } from "./missing-scenes.ts";
import { createCallerQuota } from "./quota.ts";
import { createSearchQueue } from "./search-queue.ts";
import { createSearchService } from "./search-service.ts";
import { createSharedScenes } from "./shared-scenes.ts";
import { createStoredScenes } from "./stored-scene.ts";
import { createStoredSearches } from "./stored-searches.ts";
import { createUploadBudget } from "./upload-budget.ts";
import { chooseUploadBytes } from "./upload-bytes.ts";
import { createUpstreamSearches } from "./upstream-searches.ts";

type SearchParts = {
  config: Configuration;
  database: Database;
  getSearch: () => LibrarySearch | undefined;
  previews: Pick<Previews, "listShots">;
  addresses: PreviewAddresses;
  secret: string;
  version: string;
  metrics: ApiMetrics;
  network?: ImageNetwork;
  upstreams?: Upstreams;
  leaseSeconds?: number;
  now: () => Date;
  log: FastifyBaseLogger;
};

/** Creates what receives, runs, charges and stores searches. */
export function createSearchServices(parts: SearchParts) {
  const { config, database, addresses, now, log, leaseSeconds = 30 } = parts;
  const calendar = createCalendar(config.KOMA_TIME_ZONE, now);
  const quota = createCallerQuota({
    database,
    calendar,
    limits: {
      guestSearchesPerDay: config.KOMA_GUEST_SEARCHES_PER_DAY,
      freeCreditsPerDay: config.KOMA_FREE_CREDITS_PER_DAY,
      searchesPerHour: config.KOMA_SEARCHES_PER_HOUR,
    },
    leaseSeconds,
  });
  const tokens = createConfirmTokens(deriveKey(parts.secret, "confirm"));
  const scenes = createStoredScenes({ database, addresses, listShots: parts.previews.listShots });
  const { queue, videoQueue } = createSearchQueues(config);
  const onLeftover = (error: unknown) => log.warn({ err: error }, "a lease could not be released");
  const onLog = (message: string) => log.warn(message);
  const upstreams = createUpstreamSearches({
    ...{ config, database, calendar },
    upstreams: parts.upstreams ?? createConfiguredUpstreams(config, parts.version, onLog),
    metrics: parts.metrics.searches,
  });
  const missingScenes = createMissingScenes({
    missingScenes: database.missingScenes,
    days: config.KOMA_MISSING_DAYS,
    onLeftover: (error) => log.warn({ err: error }, "a missing scene could not be counted"),
  });
  const search = createSearchService({
    database,
    getSearch: parts.getSearch,
    quota,
    previews: addresses,
    idempotentResponses: createIdempotentResponses({ database, leaseSeconds, onLeftover }),
    fetchImage: createImageFetch({
      network: { serverHost: readServerHost(config), ...(parts.network ?? publicNetwork) },
      limitBytes: imageLimits.bytes,
      timeoutMs: 10_000,
      userAgent: `Koma/${parts.version}`,
    }),
    tokens,
    queue,
    videoQueue,
    upstreams,
    missingScenes,
    metrics: parts.metrics.searches,
    leaseSeconds,
    onLeftover,
  });
  const uploads = createUploadBudget({
    ...chooseUploadBytes(config, readMemoryLimit()),
    idleMs: config.KOMA_UPLOAD_IDLE_SECONDS * 1000,
    minimumBytesPerSecond: config.KOMA_UPLOAD_KIB_PER_SECOND * 1024,
  });
  const searches = createStoredSearches({ database, scenes, tokens, now });
  const sharedScenes = createSharedScenes({ database });
  const stored = { searches, scenes, sharedScenes, missingScenes };
  return { quota, search, ...stored, uploads, upstreams, queue, videoQueue };
}

function createSearchQueues(config: Configuration) {
  const guestQueued = config.KOMA_GUEST_QUEUED_IMAGES;
  const queue = createSearchQueue({
    // One search more than workers: a worker describes the next image while the index is searched.
    atOnce: (config.KOMA_ENGINE_WORKERS ?? chooseWorkerCount()) + 1,
    guestQueued,
    failedMs: config.KOMA_FAILED_SEARCH_SECONDS * 1000,
  });
  const videoQueue = createSearchQueue({
    atOnce: 1,
    guestQueued,
    // The other queue counts the time of failed searches.
    failedMs: Number.POSITIVE_INFINITY,
  });
  return { queue, videoQueue };
}

function readServerHost({ KOMA_BASE_URL }: Configuration): string | undefined {
  return KOMA_BASE_URL === undefined ? undefined : new URL(KOMA_BASE_URL).hostname.replace(/^\[|\]$/g, "");
}
