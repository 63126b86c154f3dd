import { basename } from "node:path";
import type { IgnoredFiles, IndexEvent, IndexSummary } from "@koma/library";
import { formatCount, formatTime } from "../terminal/format.ts";
import { type Bar, createProgress } from "../terminal/progress.ts";
import { printable } from "../terminal/table.ts";
import { writeJsonLine } from "../terminal/write-json-line.ts";
import { createRunProgress } from "./run-progress.ts";

const totalGapMs = 5000;

/**
 * Reports the progress of indexing: bars and lines on standard error, or JSON lines on standard output; the
 * summary in words or as the last JSON line.
 */
export function createIndexReport<Summary extends IndexSummary = IndexSummary>(o: {
  isJson: boolean;
  /** Prints what ffmpeg printed about a video that failed. */
  isVerbose?: boolean;
  /** Default: as of `koma index`. */
  describeSummary?: (summary: Summary) => string;
}) {
  const { isJson } = o;
  const progress = createProgress();
  const run = createRunProgress();
  const bars = new Map<string, Bar>();
  let total: Bar | undefined;
  let totalWrittenMs = 0;

  function drawTotal(): void {
    const { files, done, speed, remainingSeconds, fraction } = run.current();
    const rate = speed > 0 ? `, ${(speed / 60).toFixed(1)} min of video per s` : "";
    const left = remainingSeconds === null ? "" : `, ${formatTime(remainingSeconds)} left`;
    total?.update(fraction, 1, `${done}/${formatCount(files, "video")}${rate}${left}`);
  }

  /** Writes the total after each video, and every five seconds. */
  function writeTotal(event: IndexEvent): void {
    const isEnd = event.kind === "indexed" || event.kind === "failed";
    if (!isEnd && (event.kind !== "progress" || performance.now() - totalWrittenMs < totalGapMs)) return;
    totalWrittenMs = performance.now();
    const current = run.current();
    // A worker does not know the number of videos.
    if (current.files > 0) void writeJsonLine(current);
  }

  function onEvent(event: IndexEvent): void {
    switch (event.kind) {
      case "discovered":
        if (total === undefined && event.files > 1) total = progress.open("All videos");
        break;
      case "started":
        bars.set(event.file, progress.open(printable(basename(event.file))));
        break;
      case "progress":
        bars.get(event.file)?.update(event.fraction, 1);
        break;
      case "waiting":
        break;
      default:
        bars.get(event.file)?.end();
        bars.delete(event.file);
    }
    const line = describeEvent(event);
    if (line !== undefined) progress.line(line);
    if (o.isVerbose === true && event.kind === "failed" && event.output !== undefined)
      progress.line(`         ffmpeg: ${printable(event.output)}`);
    drawTotal();
  }

  return {
    event(event: IndexEvent): void {
      run.event(event);
      if (!isJson) onEvent(event);
      else {
        if (event.kind !== "progress") void writeJsonLine(event);
        writeTotal(event);
      }
    },
    summary(summary: Summary): void {
      total?.end();
      total = undefined;
      progress.close();
      if (isJson) void writeJsonLine({ kind: "summary", ...summary });
      else process.stdout.write(`${(o.describeSummary ?? describeSummary)(summary)}\n`);
    },
    /** Prints what the operator should know on standard error. */
    warning(text: string): void {
      if (isJson) process.stderr.write(`${text}\n`);
      else progress.line(text);
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
    case "discovered":
      return event.ignored?.length ? describeIgnored(event.ignored) : undefined;
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
    case "skipped":
      return event.reason === "missing" ? `missing  ${printable(event.file)}` : undefined;
    default:
      return undefined;
  }
}

function describeIgnored(ignored: readonly IgnoredFiles[]): string {
  const kinds = ignored.map(
    ({ extension, files }) =>
      `${files.toLocaleString("en")} ${printable(extension) || "without an extension"}`,
  );
  const rest = kinds.length > mostKinds ? `, ${formatCount(kinds.length - mostKinds, "other kind")}` : "";
  return `left out, no videos by their names: ${kinds.slice(0, mostKinds).join(", ")}${rest}`;
}

const mostKinds = 12;

function describeSummary(summary: IndexSummary): string {
  if (summary.files + summary.failed === 0) return "No videos were found.";
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
