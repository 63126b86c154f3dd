import { toDay } from "../searches/search-counts.ts";

/** The counts by day and by month that make up a period; dates like "2026-11-20", range ends exclusive. */
export type RankingWindow = {
  from: string;
  to: string;
  /** Whole months. */
  months: DateRange;
  /** Additional days. */
  added: DateRange;
  /** Days of those months outside the period. */
  taken: DateRange[];
};

export type DateRange = { start: string; end: string };

/**
 * The last `days` UTC days up to that of `at`. A long period consists of months and the shorter side of the
 * first one.
 */
export function coverDays(days: number, at: Date): RankingWindow {
  const today = startOfDay(at);
  const first = addDays(today, 1 - days);
  const tomorrow = addDays(today, 1);
  const period = { from: toDay(first), to: toDay(today) };
  if (days < 28) return { ...period, months: none, added: range(first, tomorrow), taken: [] };
  const month = startOfMonth(first, 0);
  const nextMonth = startOfMonth(first, 1);
  const afterToday = range(tomorrow, startOfMonth(today, 1));
  const isLate = first.getTime() - month.getTime() > nextMonth.getTime() - first.getTime();
  const afterMonths = startOfMonth(today, 1);
  return {
    ...period,
    months: range(isLate ? nextMonth : month, afterMonths),
    added: isLate ? range(first, nextMonth) : none,
    taken: isLate ? [afterToday] : [range(month, first), afterToday],
  };
}

const none: DateRange = { start: "1970-01-01", end: "1970-01-01" };

function range(start: Date, end: Date): DateRange {
  return { start: toDay(start), end: toDay(end) };
}

function startOfDay(at: Date): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()));
}

function startOfMonth(day: Date, later: number): Date {
  return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + later, 1));
}

function addDays(day: Date, count: number): Date {
  return new Date(day.getTime() + count * 24 * 60 * 60 * 1000);
}
