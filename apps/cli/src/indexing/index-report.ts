import { basename } from "node:path";
import type { IndexEvent, IndexSummary } from "@koma/library";
import { formatCount, formatTime } from "../terminal/format.ts";
import { type Bar, createProgress } from "../terminal/progress.ts";
import { printable } from "../terminal/table.ts";
import { writeJsonLine } from "../terminal/write-json-line.ts";

/** Reports the progress of indexing: bars and lines on standard error, or JSON lines on standard output. */
export function createIndexReport({ isJson }: { isJson: boolean }) {
  const progress = createProgress();
  const bars = new Map<string, { bar: Bar; fraction: number }>();
  let total: Bar | undefined;
  let files = 0;
  let done = 0;

  function drawTotal(): void {
    const running = [...bars.values()].reduce((sum, { fraction }) => sum + fraction, 0);
    total?.update(done + running, files, `${done}/${formatCount(files, "video")}`);
  }

  function onEvent(event: IndexEvent): void {
    switch (event.kind) {
      case "discovered":
        files = event.files;
        done = 0;
        if (total === undefined && files > 1) total = progress.open("All videos");
        break;
      case "started":
        bars.set(event.file, { bar: progress.open(printable(basename(event.file))), fraction: 0 });
        break;
      case "progress": {
        const video = bars.get(event.file);
        if (video !== undefined) video.fraction = event.fraction;
        video?.bar.update(event.fraction, 1);
        break;
      }
      case "waiting":
        break;
      case "retrying":
      case "released":
        bars.get(event.file)?.bar.end();
        bars.delete(event.file);
        break;
      default:
        bars.get(event.file)?.bar.end();
        bars.delete(event.file);
        done++;
    }
    const line = describeEvent(event);
    if (line !== undefined) progress.line(line);
    drawTotal();
  }

  return {
    event(event: IndexEvent): void {
      if (!isJson) onEvent(event);
      else if (event.kind !== "progress") void writeJsonLine(event);
    },
    summary(summary: IndexSummary): void {
      total?.end();
      total = undefined;
      progress.close();
      if (isJson) void writeJsonLine({ kind: "summary", ...summary });
      else process.stdout.write(`${describeSummary(summary)}\n`);
    },
    /** Prints a line, unless the output is JSON. */
    line(text: string): void {
      if (!isJson) progress.line(text);
    },
    close(): void {
      progress.close();
    },
  };
}

/** The permanent line of an event; undefined for events that only bars show. */
function describeEvent(event: IndexEvent): string | undefined {
  const name = "file" in event ? printable(basename(event.file)) : "";
  switch (event.kind) {
    case "indexed":
      return `indexed  ${name}: ${formatCount(event.frames, "frame")} of ${formatTime(event.durationSeconds)} in ${event.elapsedSeconds.toFixed(1)} s`;
    case "moved":
      return `moved    ${name}: moved from ${printable(event.from)}`;
    case "updated":
      return `updated  ${name}`;
    case "waiting":
      return `waiting  ${name}: another process indexes it`;
    case "retrying":
      return `failed   ${printable(event.file)}: ${printable(event.problem)} It is tried again in ${event.afterSeconds} s.`;
    case "failed":
      return `failed   ${printable(event.file)}: ${printable(event.problem)}`;
    default:
      return undefined;
  }
}

function describeSummary(summary: IndexSummary): string {
  if (summary.files === 0) return "No videos were found.";
  const parts = [
    summary.indexed > 0 ? `${summary.indexed} indexed (${formatCount(summary.frames, "frame")})` : "",
    summary.moved > 0 ? `${summary.moved} moved` : "",
    summary.updated > 0 ? `${summary.updated} updated` : "",
    summary.skipped > 0 ? `${summary.skipped} unchanged` : "",
    summary.failed > 0 ? `${summary.failed} failed` : "",
    summary.isStopped ? "stopped before the end; run the same command again to continue" : "",
  ].filter((part) => part !== "");
  return `${formatCount(summary.files, "video")}: ${parts.join(", ")}.`;
}
