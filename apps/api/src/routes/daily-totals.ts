import { type DailyTotals, getDailyTotals } from "@koma/contract";
import type { Database, SearchTotal } from "@koma/database";
import type { FastifyInstance } from "fastify";
import { listUtcDays } from "../calendar.ts";
import { registerEndpoint } from "../register-endpoint.ts";

const shownDays = 30;

/** `/api/operator/daily-totals`: the charts of the operator page. */
export function registerDailyTotals(
  app: FastifyInstance,
  { database, now }: { database: Database; now: () => Date },
): void {
  registerEndpoint(app, getDailyTotals, async () => {
    const days = listUtcDays({ until: now(), count: shownDays });
    const from = new Date(days[0] ?? now());
    const [totals, episodes] = await Promise.all([
      database.searches.listTotals({ from }),
      database.statistics.countIndexedByDay({ from }),
    ]);
    return {
      days: days.map((day) => ({
        day,
        ...sumUp(totals.filter((total) => total.day === day)),
        indexedEpisodes: episodes.get(day) ?? 0,
      })),
    };
  });
}

type Sums = Pick<DailyTotals["days"][number], "outcomes" | "callers">;

function sumUp(totals: readonly SearchTotal[]): Sums {
  const sums: Sums = {
    outcomes: { found: 0, uncertain: 0, notInLibrary: 0, failed: 0 },
    callers: { guest: 0, session: 0, key: 0, bot: 0 },
  };
  for (const { outcome, callerKind, searches } of totals) {
    sums.outcomes[outcome === "not_in_library" ? "notInLibrary" : outcome] += searches;
    sums.callers[callerKind] += searches;
  }
  return sums;
}
