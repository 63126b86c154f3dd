import type { IndexEvent, IndexSummary } from "./index-event.ts";

/** A summary without videos. */
export function emptySummary(): IndexSummary {
  const counts = { files: 0, indexed: 0, moved: 0, updated: 0, skipped: 0, failed: 0, frames: 0 };
  return { ...counts, problems: [], isStopped: false };
}

/** Adds an event to a summary. */
export function countEvent(summary: IndexSummary, event: IndexEvent): void {
  if (event.kind === "discovered") summary.files += event.files;
  if (event.kind === "indexed") {
    summary.indexed += 1;
    summary.frames += event.frames;
  }
  if (event.kind === "moved" || event.kind === "updated" || event.kind === "skipped")
    summary[event.kind] += 1;
  if (event.kind === "failed") {
    summary.failed += 1;
    summary.problems.push({ file: event.file, problem: event.problem });
  }
}
