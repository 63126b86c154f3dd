import { type DailyTotals, getDailyTotals } from "@koma/contract";
import type { Database, SearchTotal } from "@koma/database";
import type { FastifyInstance } from "fastify";
import { listUtcDays, listUtcWeeks } from "../calendar.ts";
import { registerEndpoint } from "../register-endpoint.ts";

const shownDays = 30;
const shownWeeks = 12;

/** `/api/operator/daily-totals`: the charts of the operator page. */
export function registerDailyTotals(
  app: FastifyInstance,
  { database, now }: { database: Database; now: () => Date },
): void {
  registerEndpoint(app, getDailyTotals, async () => {
    const days = listUtcDays({ until: now(), count: shownDays });
    const from = new Date(days[0] ?? now());
    const weeks = listUtcWeeks({ until: now(), count: shownWeeks });
    const [totals, episodes, confidence] = await Promise.all([
      database.searches.listTotals({ from }),
      database.statistics.countIndexedByDay({ from }),
      database.searches.listConfidence({ from: new Date(weeks[0] ?? now()) }),
    ]);
    return {
      days: days.map((day) => ({
        day,
        ...sumUp(totals.filter((total) => total.day === day)),
        indexedEpisodes: episodes.get(day) ?? 0,
      })),
      weeks: weeks.map(
        (firstDay) =>
          confidence.find((week) => week.firstDay === firstDay) ?? { firstDay, right: 0, wrong: 0 },
      ),
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
