/**
 * The days of a time zone. `today` returns the time, the date ("2026-11-20") and the start of the next day.
 */
export function createCalendar(timeZone: string, now: () => Date) {
  const format = new Intl.DateTimeFormat("en", {
    timeZone,
    calendar: "gregory",
    numberingSystem: "latn",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  });
  const dayOf = (atMs: number) => {
    // The parts are combined explicitly: processes compare days, and the format of a locale changes between
    // ICU versions.
    const parts = new Map(format.formatToParts(atMs).map(({ type, value }) => [type, value]));
    return `${parts.get("year")}-${parts.get("month")}-${parts.get("day")}`;
  };
  let known = { day: "", fromMs: 0, resetsAt: new Date(0) };

  return {
    today(): { at: Date; day: string; resetsAt: Date } {
      const at = now();
      const atMs = at.getTime();
      if (atMs < known.fromMs || atMs >= known.resetsAt.getTime()) {
        known = {
          day: dayOf(atMs),
          fromMs: atMs,
          resetsAt: new Date(findNextDay(dayOf, atMs)),
        };
      }
      return { at, day: known.day, resetsAt: known.resetsAt };
    },
  };
}

export type Calendar = ReturnType<typeof createCalendar>;

/** The UTC days ("2026-11-20") that end with the day of `until`, oldest first. */
export function listUtcDays({ until, count }: { until: Date; count: number }): string[] {
  return Array.from({ length: count }, (_, index) => {
    const at = new Date(until);
    at.setUTCDate(at.getUTCDate() - (count - 1 - index));
    return at.toISOString().slice(0, 10);
  });
}

/** The Mondays ("2026-11-16") of the UTC weeks that end with the week of `until`, oldest first. */
export function listUtcWeeks({ until, count }: { until: Date; count: number }): string[] {
  const days = listUtcDays({ until, count: count * 7 });
  return days.filter((day) => new Date(day).getUTCDay() === 1);
}

/**
 * Finds the next change of date by bisection. A day lasts 23 to 25 hours, or more when the zone's offset
 * moved.
 */
function findNextDay(dayOf: (atMs: number) => string, atMs: number): number {
  const day = dayOf(atMs);
  let before = atMs;
  let after = atMs + 27 * 3_600_000;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (dayOf(middle) === day) before = middle;
    else after = middle;
  }
  return after;
}
