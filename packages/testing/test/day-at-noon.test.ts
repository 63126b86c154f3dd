import { dayAtNoon } from "@koma/testing";
import { expect, it } from "vitest";

it("returns a zone in which it is noon, at each hour, and the end of its day", () => {
  for (let hour = 0; hour < 24; hour++) {
    const at = new Date(Date.UTC(2028, 1, 29, hour, 59, 59, 999));
    const { zone, endsAt } = dayAtNoon(at);
    const read = (instant: Date) =>
      new Intl.DateTimeFormat("en", {
        timeZone: zone,
        hour: "2-digit",
        minute: "2-digit",
        hourCycle: "h23",
      }).format(instant);
    expect([zone, read(at), read(endsAt)]).toEqual([zone, "12:59", "00:00"]);
    expect(endsAt.getTime() - at.getTime()).toBeLessThanOrEqual(12 * 3_600_000);
    expect(endsAt.getTime() - at.getTime()).toBeGreaterThan(10.9 * 3_600_000);
  }
});
