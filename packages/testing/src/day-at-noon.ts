const hourMs = 3_600_000;

/**
 * A time zone in which it is between 12:00 and 13:00, and the end of its day. Tests of daily limits that run
 * by the real clock use it, because midnight UTC may pass while they run.
 */
export function dayAtNoon(at = new Date()): { zone: string; endsAt: Date } {
  const offsetHours = 12 - at.getUTCHours();
  // The names of these zones count westwards: Etc/GMT-2 is two hours ahead of UTC.
  const name = offsetHours === 0 ? "" : offsetHours > 0 ? `-${offsetHours}` : `+${-offsetHours}`;
  const hourStartMs = Math.floor(at.getTime() / hourMs) * hourMs;
  return { zone: `Etc/GMT${name}`, endsAt: new Date(hourStartMs + 12 * hourMs) };
}
