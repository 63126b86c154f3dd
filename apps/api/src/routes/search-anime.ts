import { searchAnime } from "@koma/contract";
import { imageLimits } from "@koma/library";
import type { FastifyInstance, FastifyReply } from "fastify";
import { readNetwork } from "../caller.ts";
import type { ApiMetrics } from "../metrics/api-metrics.ts";
import { registerEndpoint } from "../register-endpoint.ts";
import type { CallerQuota } from "../search/quota.ts";
import { describeRateLimit } from "../search/rate-limit-headers.ts";
import { readSearchForm } from "../search/read-search-form.ts";
import type { SearchService } from "../search/search-service.ts";
import type { UploadBudget } from "../search/upload-budget.ts";
import { watchUpload } from "../search/watch-upload.ts";

/** `POST /api/anime/search`. */
export function registerSearchAnime(
  app: FastifyInstance,
  options: {
    search: SearchService;
    quota: CallerQuota;
    uploads: UploadBudget;
    metrics: ApiMetrics;
    now: () => Date;
  },
): void {
  const metrics = options.metrics.searches;

  registerEndpoint(app, searchAnime, async ({ headers, caller, raw, reply }) => {
    // Created before the first await, so that a disconnect during the upload is noticed.
    const signal = watchCaller(reply);
    const network = readNetwork(caller, raw);
    const share = options.uploads.open({ caller: caller.hash, network });
    try {
      const search = async () => {
        const idempotencyKey = headers["idempotency-key"];
        // With a key, the response of an earlier request may exist.
        if (idempotencyKey === undefined) options.search.checkQueue({ caller, network });
        const uploadSignal = watchUpload(raw.raw, share);
        const reading = { limitBytes: imageLimits.bytes, share, signal: uploadSignal };
        const form = await metrics.time("receive", () => readSearchForm(raw, reading));
        share.finish();
        return await options.search.search({ caller, network, form, idempotencyKey, share, signal });
      };
      return await metrics.count({ caller, protocol: "koma", reply }, search, ({ outcome }) => outcome);
    } finally {
      share.close();
      // A caller that has left receives no headers, and reading the quota for it would cost a query.
      const allowance = signal.aborted ? undefined : await options.quota.usage(caller).catch(() => undefined);
      if (allowance !== undefined) reply.headers(describeRateLimit(allowance, options.now()));
    }
  });
}

/** A signal that aborts when the caller disconnects before the response is sent, or already has. */
export function watchCaller(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  if (reply.raw.destroyed) controller.abort();
  reply.raw.once("close", () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}
