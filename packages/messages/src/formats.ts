import type { Language } from "./language.ts";

/** The options of the formats in addition to the language. */
export interface FormatOptions {
  /** The time zone of clock times; by default that of the device, whose name is then omitted. */
  readonly timeZone?: string;
  /** The current time; for tests. */
  readonly now?: () => Date;
}

/** Formats numbers, times and lists in a language (`Intl`). */
export function createFormats(spoken: Language, { timeZone, now = () => new Date() }: FormatOptions = {}) {
  const zone = timeZone === undefined ? {} : { timeZone };
  const language = locales[spoken] ?? spoken;
  const number = new Intl.NumberFormat(language);
  const percent = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1 });
  const length = new Intl.NumberFormat(language, { style: "unit", unit: "second" });
  const date = new Intl.DateTimeFormat(language, { dateStyle: "medium", ...zone });
  const dayAndMonth = new Intl.DateTimeFormat(language, { month: "long", day: "numeric", ...zone });
  const clock = new Intl.DateTimeFormat(language, {
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    ...zone,
  });
  const zoneName = new Intl.DateTimeFormat(language, { timeZoneName: "short", ...zone });
  const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  const exactRelative = new Intl.RelativeTimeFormat(language);
  const list = new Intl.ListFormat(language);
  const dayNumber = createDayNumber(zone);

  return {
    /** `12,345`. */
    formatNumber: (value: number) => number.format(value),
    /** A fraction as `97.3%`, never rounded up. */
    formatPercent: (fraction: number) => percent.format(Math.floor(fraction * 1000 + 1e-9) / 1000),
    /** A position in a video: seconds as `12:34`, or `1:02:03` from an hour on. */
    formatTime,
    /** A length: `5 sec`. */
    formatSeconds: (seconds: number) => length.format(seconds),
    /** A day: `Nov 20, 2026`. */
    formatDate: (instant: Date) => date.format(instant),
    /** The time of day: `00:00`, with the zone's name if a zone is set. */
    formatClock(instant: Date): string {
      if (timeZone === undefined) return clock.format(instant);
      const name = zoneName.formatToParts(instant).find(({ type }) => type === "timeZoneName")?.value;
      return `${clock.format(instant)} ${name?.replace(/[[\]]/g, "") ?? timeZone}`;
    },
    /** The relative day: `today`, `tomorrow`, else `November 23`. */
    formatDay(instant: Date): string {
      const days = dayNumber(instant) - dayNumber(now());
      return Math.abs(days) <= 1 ? relative.format(days, "day") : dayAndMonth.format(instant);
    },
    /** The distance in time: `in 6 hours`, `5 minutes ago`; a future time is rounded up. */
    formatRelative(instant: Date): string {
      const seconds = (instant.getTime() - now().getTime()) / 1000;
      const round = seconds > 0 ? Math.ceil : Math.trunc;
      const [size, unit] =
        spans.find(([size, , ahead]) => (seconds > 0 ? seconds >= ahead : -seconds >= size)) ?? lastSpan;
      const amount = round(seconds / size);
      if (amount === 0) return relative.format(0, "second");
      return exactRelative.format(amount, unit);
    },
    /** `a, b, and c`. */
    formatList: (items: readonly string[]) => list.format(items),
  };
}

/**
 * The Spanish texts are written for Latin America. Arabic has Latin digits, like the titles, time codes and
 * episode numbers beside them.
 */
const locales: Partial<Record<Language, string>> = { es: "es-419", ar: "ar-u-nu-latn" };

/**
 * Seconds, the unit, and its minimum for future times: because of rounding up, "80 minutes" is more precise
 * than "2 hours".
 */
const lastSpan = [1, "second", 0] as const;
const spans = [[86_400, "day", 172_800], [3600, "hour", 5400], [60, "minute", 60], lastSpan] as const;

function formatTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const parts = [Math.floor(whole / 60) % 60, whole % 60];
  const hours = Math.floor(whole / 3600);
  if (hours > 0) parts.unshift(hours);
  return parts.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, "0"))).join(":");
}

function createDayNumber(zone: { timeZone?: string }) {
  const parts = new Intl.DateTimeFormat("en-CA", {
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    ...zone,
  });
  return (instant: Date) => Date.parse(parts.format(instant)) / 86_400_000;
}
