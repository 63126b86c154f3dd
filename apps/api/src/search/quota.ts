import type { Credits, Quota } from "@koma/contract";
import type { Database, UserQuotaUsage } from "@koma/database";
import { ApiError } from "../api-error.ts";
import type { Calendar } from "../calendar.ts";
import { type Caller, describeCaller } from "../caller.ts";

/** One search of a caller's quota, held under a lease until it is settled or released. */
export type Reservation = {
  id: string;
  owner: string;
  /**
   * The quota that it uses: that of guests and chat users, the free credits of the day, or purchased ones.
   */
  kind: "guest" | "free" | "purchased";
  /** The user whose purchased credit it can use. */
  userId: string | undefined;
  /** The time of the reservation, which determines its day and hour. */
  at: Date;
  /** What remains after it. */
  allowance: Allowance;
  /** What remains after its release. */
  allowanceWithout: Allowance;
  /** The wider IPv6 networks of a guest that it counts for. */
  countedWider: readonly CountedWider[];
};

/**
 * The remaining quota of a caller: of the day and of credits, and of the hour if the caller has an account.
 */
export type Allowance = { quota: Quota; hourly: Credits["hourly"] | undefined };

type CountedWider = { key: string; times: number; remainingMs: number };

/** The search limits of callers. */
export type QuotaLimits = { guestSearchesPerDay: number; freeCreditsPerDay: number; searchesPerHour: number };

type User = Extract<Caller, { kind: "user" }>;
type Today = ReturnType<Calendar["today"]>;

export type CallerQuota = ReturnType<typeof createCallerQuota>;

/**
 * Manages the quotas of callers: guests and the chat users of bots have searches per day; users have searches
 * per hour, and use free credits of the day before purchased ones.
 */
export function createCallerQuota(options: {
  database: Database;
  calendar: Calendar;
  limits: QuotaLimits;
  leaseSeconds: number;
}) {
  const { database, calendar, limits, leaseSeconds } = options;

  return {
    /** The remaining quota of a caller. */
    async usage(caller: Caller): Promise<Allowance> {
      const today = calendar.today();
      if (caller.kind === "user") {
        return describeUser(await userUsage(caller, today), today);
      }
      const { used } = await database.quota.guestUsage({ callerHash: caller.hash, day: today.day });
      return describeGuest(used, today);
    },

    /** A user's free and purchased credits, and the quota of the hour. */
    async creditsUsage(caller: User): Promise<Credits> {
      const today = calendar.today();
      const usage = await userUsage(caller, today);
      return {
        remaining: describeCredits(usage, today).remaining,
        free: {
          limit: limits.freeCreditsPerDay,
          used: usage.freeUsed,
          remaining: remainingFree(usage),
          resetsAt: today.resetsAt.toISOString(),
        },
        purchased: { remaining: usage.purchasedRemaining },
        hourly: describeHour(usage, today.at),
      };
    },

    /**
     * Reserves a search. Throws ApiError `guest_limit_reached`, `hourly_limit_reached` or `credits_exhausted`
     * if none is left. `onAllowance` receives what remains in both cases.
     */
    async reserve(
      caller: Caller,
      owner: string,
      onAllowance: (allowance: Allowance) => void,
    ): Promise<Reservation> {
      const today = calendar.today();
      return caller.kind === "user"
        ? await reserveUser(caller, owner, today, onAllowance)
        : await reserveGuest(caller, owner, today, onAllowance);
    },

    /** Releases the reservation of a search that was not settled, and counts it as failed. */
    async release({ id, owner, at, countedWider }: Reservation, caller: Caller): Promise<void> {
      await database.quota.release(id, owner, { callerKind: describeCaller(caller), at });
      await countWider(countedWider, -1);
    },
  };

  async function reserveGuest(
    caller: Caller,
    owner: string,
    today: Today,
    onAllowance: (allowance: Allowance) => void,
  ): Promise<Reservation> {
    const limit = limits.guestSearchesPerDay;
    const retryAfterSeconds = secondsUntil(today.resetsAt, today.at);
    const countedWider = listWider(caller, today);
    const counts = await countWider(countedWider, 1);
    if (countedWider.some(({ key, times }) => (counts.get(key) ?? 0) > times * limit)) {
      await countWider(countedWider, -1);
      const allowance = describeGuest(limit, today);
      onAllowance(allowance);
      const detail = "The guests of this IPv6 network have no searches left today.";
      throw new ApiError("guest_limit_reached", detail, { quota: allowance.quota, retryAfterSeconds });
    }
    const params = { callerHash: caller.hash, limit, day: today.day, owner, leaseSeconds };
    const response = await database.quota.reserveGuest(params);
    const allowance = describeGuest(response.used, today);
    onAllowance(allowance);
    if (!response.isRefused) {
      const { reservationId: id } = response;
      const allowanceWithout = describeGuest(response.used - 1, today);
      return {
        ...{ id, owner, kind: "guest", userId: undefined, at: today.at },
        ...{ allowance, allowanceWithout, countedWider },
      };
    }
    await countWider(countedWider, -1);
    throw new ApiError("guest_limit_reached", `Guests have ${limit} searches per day.`, {
      quota: allowance.quota,
      retryAfterSeconds,
    });
  }

  /** The keys of the wider networks of a guest on a day. */
  function listWider(caller: Caller, { day, resetsAt, at }: Today): CountedWider[] {
    if (caller.kind !== "guest") return [];
    const remainingMs = Math.max(1, resetsAt.getTime() - at.getTime());
    return (caller.wider ?? []).map(({ hash, times }) => ({ key: `${hash}:${day}`, times, remainingMs }));
  }

  /** Counts searches of wider networks, and returns their numbers. */
  async function countWider(counted: readonly CountedWider[], count: 1 | -1): Promise<Map<string, number>> {
    const rows = await database.rateLimits.add(
      counted.map(({ key, remainingMs }) => ({ key, remainingMs, count })),
    );
    return new Map(rows.map((row) => [row.key, row.count]));
  }

  async function reserveUser(
    caller: User,
    owner: string,
    today: Today,
    onAllowance: (allowance: Allowance) => void,
  ): Promise<Reservation> {
    const { hash: callerHash, userId } = caller;
    const { freeCreditsPerDay: freeLimit, searchesPerHour: hourlyLimit } = limits;
    const { day, at } = today;
    const params = { callerHash, userId, day, at, freeLimit, hourlyLimit, owner, leaseSeconds };
    const response = await database.quota.reserveUser(params);
    const allowance = describeUser(response.usage, today);
    onAllowance(allowance);
    if (!response.isRefused) {
      const { reservationId: id, kind, usage } = response;
      const allowanceWithout = describeUser(withoutSearch(usage, kind), today);
      return { id, owner, kind, userId, at, allowance, allowanceWithout, countedWider: [] };
    }
    const { quota } = allowance;
    if (response.why === "credits") {
      throw new ApiError("credits_exhausted", "No credits are left. Free credits return at midnight.", {
        quota,
      });
    }
    const freesAt = response.usage.hourlyFreesAt ?? new Date(at.getTime() + hourMs);
    throw new ApiError("hourly_limit_reached", `At most ${hourlyLimit} searches per hour.`, {
      quota,
      retryAfterSeconds: secondsUntil(freesAt, at),
    });
  }

  async function userUsage({ hash: callerHash, userId }: User, { day, at }: Today): Promise<UserQuotaUsage> {
    const hourlyLimit = limits.searchesPerHour;
    return await database.quota.userUsage({ callerHash, userId, day, at, hourlyLimit });
  }

  function describeGuest(used: number, { resetsAt }: Today): Allowance {
    const limit = limits.guestSearchesPerDay;
    const remaining = Math.max(0, limit - used);
    const quota: Quota = { kind: "guest", limit, remaining, resetsAt: resetsAt.toISOString() };
    return { quota, hourly: undefined };
  }

  function describeUser(usage: UserQuotaUsage, today: Today): Allowance {
    return { quota: describeCredits(usage, today), hourly: describeHour(usage, today.at) };
  }

  function describeCredits(usage: UserQuotaUsage, { resetsAt }: Today): Quota {
    return {
      kind: "credits",
      limit: limits.freeCreditsPerDay,
      remaining: remainingFree(usage) + usage.purchasedRemaining,
      resetsAt: resetsAt.toISOString(),
    };
  }

  function describeHour(usage: UserQuotaUsage, at: Date): Credits["hourly"] {
    const limit = limits.searchesPerHour;
    return {
      limit,
      used: usage.hourlyUsed,
      remaining: Math.max(0, limit - usage.hourlyUsed),
      resetsAt: (usage.hourlyFreesAt ?? at).toISOString(),
    };
  }

  function remainingFree(usage: UserQuotaUsage): number {
    return Math.max(0, limits.freeCreditsPerDay - usage.freeUsed);
  }
}

const hourMs = 3_600_000;

/** The usage without one search of this kind. */
function withoutSearch(usage: UserQuotaUsage, kind: "free" | "purchased"): UserQuotaUsage {
  const { freeUsed, purchasedRemaining, hourlyUsed, hourlyFreesAt } = usage;
  return {
    freeUsed: kind === "free" ? freeUsed - 1 : freeUsed,
    purchasedRemaining: kind === "free" ? purchasedRemaining : purchasedRemaining + 1,
    hourlyUsed: hourlyUsed - 1,
    // Below the limit of the hour it is the end of the oldest search, which is another one.
    hourlyFreesAt: hourlyUsed === 1 ? null : hourlyFreesAt,
  };
}

function secondsUntil(then: Date, at: Date): number {
  return (then.getTime() - at.getTime()) / 1000;
}
