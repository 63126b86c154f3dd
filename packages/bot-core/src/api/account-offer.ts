import { hasMoreWithAccount } from "@koma/messages";
import type { ApiClients } from "./api-clients.ts";

/** The operator changes the limits with a restart of the API only. */
const ttlMs = 600_000;
const deadlineMs = 2_000;

/** Tells whether texts may promise more searches with an account. */
export type AccountOffer = ReturnType<typeof createAccountOffer>;

/** The result of one question to the API for ten minutes; false while the API is away. */
export function createAccountOffer({
  api,
  now,
}: {
  api: Pick<ApiClients, "bot" | "measured">;
  now: () => Date;
}) {
  let known: { hasMore: boolean; atMs: number } | undefined;

  return async (): Promise<boolean> => {
    if (known !== undefined && now().getTime() - known.atMs < ttlMs) return known.hasMore;
    try {
      const { limits } = await api.measured("getSite", () => api.bot.getSite({}, { deadlineMs }));
      known = { hasMore: hasMoreWithAccount(limits), atMs: now().getTime() };
      return known.hasMore;
    } catch {
      return false;
    }
  };
}
