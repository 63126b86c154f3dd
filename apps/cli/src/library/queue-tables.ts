import type { Library } from "@koma/library";
import { formatCount } from "../terminal/format.ts";
import { formatTable } from "../terminal/table.ts";

type Status = Awaited<ReturnType<Library["status"]>>;
type Queue = Library["queue"];
type QueuedVideo = Awaited<ReturnType<Queue["list"]>>[number];

/** The videos of the queue, one row each, and the totals. */
export function formatQueue(counts: Status["queue"], videos: readonly QueuedVideo[]): string {
  const listed = counts.waiting + counts.running + counts.dead;
  const totals = describeCounts(counts);
  if (listed === 0) return totals;
  const rows = videos.map((video) => [
    video.state === "dead" ? "failed" : video.state,
    video.path,
    video.priority,
    video.attempts,
    describeVideo(video),
    video.id,
  ]);
  const more = listed > videos.length ? `\n${formatCount(listed - videos.length, "further video")}.` : "";
  return `${formatTable(["State", "Video", "Priority", "Attempts", "", "Id"], rows)}${more}\n\n${totals}`;
}

/** Anime, episodes and frames, the queue, and a table of the workers. */
export function formatStatus({ library, queue, workers }: Status): string {
  const { anime, episodes, frames, outdated } = library;
  const states = `${formatCount(episodes.ready, "episode")} ready, ${episodes.indexing} running, ${episodes.pending} waiting, ${episodes.failed} failed`;
  const lines = [
    `Library: ${anime} anime; ${states}; ${formatCount(frames, "frame")}.`,
    outdated === 0
      ? ""
      : `${formatCount(outdated, "episode")} with data of an earlier version: \`koma library describe\` describes them again.`,
    describeCounts(queue),
    workers.length === 0 ? "No worker is running." : `${formatCount(workers.length, "worker")}:`,
  ];
  const rows = workers.map((worker) => [
    worker.name,
    describeAge(worker.heartbeatAgeSeconds),
    worker.videosDone,
    worker.failures,
    worker.previewAddress ?? "",
    worker.paths.join(", "),
  ]);
  if (rows.length > 0)
    lines.push(formatTable(["Name", "Heartbeat", "Done", "Failures", "Previews", "Videos"], rows));
  return lines.filter((line) => line !== "").join("\n");
}

function describeCounts({ waiting, running, dead, isPaused }: Status["queue"]): string {
  return `Queue${isPaused ? " (paused)" : ""}: ${waiting} waiting, ${running} running, ${dead} failed.`;
}

function describeVideo(video: QueuedVideo): string {
  if (video.state === "running")
    return `${Math.floor(100 * (video.progress ?? 0))} %, ${video.worker ?? "a worker"}, heartbeat ${describeAge(video.heartbeatAgeSeconds ?? 0)}`;
  const due = video.dueInSeconds > 0 ? `again in ${Math.ceil(video.dueInSeconds)} s` : "";
  return [due, video.problem ?? ""].filter((part) => part !== "").join(": ");
}

function describeAge(seconds: number): string {
  return `${Math.round(seconds)} s ago`;
}
