import type { Quota } from "@koma/contract";
import type { Database } from "@koma/database";
import { ApiError } from "../api-error.ts";
import type { Calendar } from "../calendar.ts";
import type { Caller } from "../caller.ts";

/** One search of a caller's day, held under a lease until it is settled or released. */
export type Reservation = { id: string; quota: Quota };

export type GuestQuota = ReturnType<typeof createGuestQuota>;

/** The free searches of guests: so many a day, by caller. */
export function createGuestQuota(options: {
  database: Database;
  calendar: Calendar;
  limit: number;
  leaseSeconds: number;
}) {
  const { database, calendar, limit } = options;
  const describe = (used: number, resetsAt: Date): Quota => ({
    kind: "guest",
    limit,
    remaining: Math.max(0, limit - used),
    resetsAt: resetsAt.toISOString(),
  });

  return {
    /** What a caller has left now. */
    async look(caller: Caller): Promise<Quota> {
      const { day, resetsAt } = calendar.today();
      return describe(await database.quota.countUsed({ callerHash: caller.hash, day }), resetsAt);
    },

    /** Reserves a search. Throws ApiError `guest_limit_reached` when none is left. */
    async reserve(caller: Caller, owner: string): Promise<Reservation> {
      const { day, resetsAt } = calendar.today();
      const answer = await database.quota.reserve({
        callerHash: caller.hash,
        kind: "guest",
        limit,
        day,
        owner,
        leaseSeconds: options.leaseSeconds,
      });
      const quota = describe(answer.used, resetsAt);
      if (!answer.isRefused) return { id: answer.reservationId, quota };
      throw new ApiError("guest_limit_reached", `Guests have ${limit} searches a day.`, {
        quota,
        retryAfterSeconds: (resetsAt.getTime() - Date.now()) / 1000,
      });
    },
  };
}
