import { searchAnime } from "@koma/contract";
import { imageLimits } from "@koma/library";
import type { FastifyInstance, FastifyReply } from "fastify";
import { readNetwork } from "../caller.ts";
import type { ApiMetrics } from "../metrics/api-metrics.ts";
import { type EndpointRequest, registerEndpoint } from "../register-endpoint.ts";
import type { Allowance, CallerQuota } from "../search/quota.ts";
import { addRateLimit } from "../search/rate-limit-headers.ts";
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

  const handle = async ({ headers, caller, raw, reply }: EndpointRequest<typeof searchAnime>) => {
    // Created before the first await, so that a disconnect during the upload is noticed.
    const signal = watchCaller(reply);
    const network = readNetwork(caller, raw);
    const share = options.uploads.open({ caller: caller.hash, network });
    let known: Allowance | undefined;
    const onAllowance = (allowance: Allowance) => {
      known = allowance;
    };
    try {
      const search = async () => {
        const idempotencyKey = headers["idempotency-key"];
        // With a key, the response of an earlier request may exist.
        if (idempotencyKey === undefined) options.search.checkQueue({ caller, network });
        const uploadSignal = watchUpload(raw.raw, share);
        const reading = { limitBytes: imageLimits.bytes, share, signal: uploadSignal };
        const form = await metrics.time("receive", () => readSearchForm(raw, reading));
        share.finish();
        const order = { caller, network, form, idempotencyKey, share, signal, onAllowance };
        return await options.search.search(order);
      };
      return await metrics.count({ caller, protocol: "koma", reply }, search, ({ outcome }) => outcome);
    } finally {
      share.close();
      await addRateLimit(reply, { ...options, caller, known, signal });
    }
  };
  // A result that is not valid must not be charged, so the search checks it before its settlement.
  registerEndpoint(app, searchAnime, handle, { isChecked: true });
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
