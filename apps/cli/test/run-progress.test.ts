import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createRunProgress } from "../src/indexing/run-progress.ts";

beforeAll(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterAll(() => void vi.useRealTimers());

test("computes speed and remaining time from the indexed parts, without unchanged videos", () => {
  const run = createRunProgress();
  run.event({ kind: "discovered", files: 6, bytes: 6 });
  run.event({ kind: "skipped", file: "old", reason: "unchanged" });
  run.event({ kind: "failed", file: "broken", problem: "It is damaged." });
  expect(run.current()).toMatchObject({ done: 2, speed: 0, remainingSeconds: null });

  run.event({ kind: "started", file: "a", bytes: 1, durationSeconds: 600 });
  run.event({ kind: "started", file: "b", bytes: 1, durationSeconds: 1200 });
  vi.advanceTimersByTime(30_000);
  run.event({
    kind: "indexed",
    file: "a",
    episodeId: "a",
    frames: 9,
    durationSeconds: 600,
    elapsedSeconds: 30,
  });
  run.event({ kind: "progress", file: "b", fraction: 0.5 });
  // One and a half of four videos in 30 s; two and a half are left.
  expect(run.current()).toEqual({
    kind: "total",
    files: 6,
    done: 3,
    videoSeconds: 1200,
    speed: 40,
    remainingSeconds: 50,
    fraction: 3.5 / 6,
  });
});
