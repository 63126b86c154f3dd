import { expect, test } from "vitest";
import { createSaveSchedule } from "../../src/search/save-schedule.ts";

test("a save is due after a quiet period, or after a minute of changes", () => {
  const schedule = createSaveSchedule(0);
  schedule.change(1000);
  expect(schedule.isDue(5900)).toBe(false);
  expect(schedule.isDue(6100)).toBe(true);
  for (let ms = 2000; ms <= 60_000; ms += 1000) {
    schedule.change(ms);
    expect(schedule.isDue(ms)).toBe(false);
  }
  expect(schedule.isDue(60_001)).toBe(true);
});

test("saves take a twentieth of the time at most", () => {
  const schedule = createSaveSchedule(0);
  schedule.save({ startedMs: 10_000, endedMs: 20_000, isGood: true });
  schedule.change(21_000);
  expect(schedule.isDue(219_000)).toBe(false);
  expect(schedule.isDue(220_001)).toBe(true);
});

test("a failed save is repeated after a minute", () => {
  const schedule = createSaveSchedule(0);
  schedule.save({ startedMs: 10_000, endedMs: 10_100, isGood: false });
  expect(schedule.isDue(60_000)).toBe(false);
  expect(schedule.isDue(70_101)).toBe(true);
});
