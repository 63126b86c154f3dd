import { searchAnime } from "@koma/contract";
import { imageLimits } from "@koma/library";
import type { FastifyInstance, FastifyReply } from "fastify";
import { registerEndpoint } from "../register-endpoint.ts";
import type { ByteBudget } from "../search/byte-budget.ts";
import type { CallerQuota } from "../search/quota.ts";
import { describeRateLimit } from "../search/rate-limit-headers.ts";
import { readSearchForm } from "../search/read-search-form.ts";
import type { SearchService } from "../search/search-service.ts";

/** `POST /api/anime/search`. */
export function registerSearchAnime(
  app: FastifyInstance,
  options: {
    search: SearchService;
    quota: CallerQuota;
    budget: ByteBudget;
    now: () => Date;
  },
): void {
  const { budget } = options;

  registerEndpoint(app, searchAnime, async ({ headers, caller, raw, reply }) => {
    // Before anything is awaited: who hangs up while the form is read is noticed too.
    const signal = watchCaller(reply);
    const share = budget.open(caller.hash);
    try {
      const form = await readSearchForm(raw, {
        limitBytes: imageLimits.bytes,
        share,
      });
      const idempotencyKey = headers["idempotency-key"];
      return await options.search.search({
        caller,
        form,
        idempotencyKey,
        share,
        signal,
      });
    } finally {
      share.releaseAll();
      const allowance = await options.quota.usage(caller).catch(() => undefined);
      if (allowance !== undefined) reply.headers(describeRateLimit(allowance, options.now()));
    }
  });
}

/** Aborts when the caller hangs up before the answer is out, or has done so already. */
export function watchCaller(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  if (reply.raw.destroyed) controller.abort();
  reply.raw.once("close", () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}
