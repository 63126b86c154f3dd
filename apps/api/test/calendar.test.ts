import { expect, test } from "vitest";
import { createCalendar, listUtcDays, listUtcWeeks } from "../src/calendar.ts";

const todayAt = (zone: string, instant: string) => {
  const { day, resetsAt } = createCalendar(zone, () => new Date(instant)).today();
  return [day, resetsAt.toISOString()];
};

test("a day ends at midnight of its zone, also on days of 23 and 25 hours", () => {
  expect(todayAt("UTC", "2026-11-20T23:59:59.999Z")).toEqual(["2026-11-20", "2026-11-21T00:00:00.000Z"]);
  expect(todayAt("UTC", "2026-11-21T00:00:00.000Z")).toEqual(["2026-11-21", "2026-11-22T00:00:00.000Z"]);
  expect(todayAt("Asia/Tokyo", "2026-11-20T15:00:00.000Z")).toEqual([
    "2026-11-21",
    "2026-11-21T15:00:00.000Z",
  ]);
  expect(todayAt("Europe/Berlin", "2026-03-28T23:00:00.000Z")).toEqual([
    "2026-03-29",
    "2026-03-29T22:00:00.000Z",
  ]);
  expect(todayAt("Europe/Berlin", "2026-10-24T22:00:00.000Z")).toEqual([
    "2026-10-25",
    "2026-10-25T23:00:00.000Z",
  ]);
});

test("a calendar notices the next day, and a clock that is set back", () => {
  let now = "2026-11-20T12:00:00.000Z";
  const calendar = createCalendar("UTC", () => new Date(now));
  expect(calendar.today().day).toBe("2026-11-20");
  now = "2026-11-21T00:00:00.000Z";
  expect(calendar.today().day).toBe("2026-11-21");
  now = "2026-11-19T10:00:00.000Z";
  expect(calendar.today().day).toBe("2026-11-19");
});

test("UTC days are listed across the end of a month, oldest first", () => {
  for (const time of ["00:00:00.000Z", "23:59:59.999Z"]) {
    expect(listUtcDays({ until: new Date(`2028-03-01T${time}`), count: 3 })).toEqual([
      "2028-02-28",
      "2028-02-29",
      "2028-03-01",
    ]);
  }
});

test("UTC weeks begin on Mondays, and the last one has the day", () => {
  for (const time of ["2026-11-16T00:00:00.000Z", "2026-11-22T23:59:59.999Z"])
    expect(listUtcWeeks({ until: new Date(time), count: 3 })).toEqual([
      "2026-11-02",
      "2026-11-09",
      "2026-11-16",
    ]);
});
