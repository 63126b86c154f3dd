import type { EpisodeLabel } from "@koma/database";
import { findSharedRuns } from "./find-shared-runs.ts";
import type { SampledFrames } from "./sampled-frames.ts";

/** An episode whose frames are compared. Two files of one episode have one name. */
export type ComparedEpisode = { id: string; name: string; durationSeconds: number; frames: SampledFrames };

/** A part of an episode that another one contains, and the name of that one. */
type Part = { from: number; to: number; name: string };
type Range = Omit<Part, "name">;

/** The usual lengths of openings and endings, in seconds. */
const lengths = { least: 60, most: 100 };
/** Least overlap of two runs of an episode that are the same content, as a share of the longer one. */
const leastOverlap = 0.8;

/** Whether an episode can have an opening: a part takes half of an episode at most. */
export function isLongEnough(durationSeconds: number | null): boolean {
  return durationSeconds === null || durationSeconds >= 2 * lengths.least;
}

/** The number of episodes of an anime that must contain an opening: three, or half of fewer than six; never one. */
export function countNeeded(episodes: number): number {
  return Math.max(2, Math.min(3, Math.ceil(episodes / 2)));
}

/**
 * Finds the opening and the ending of each episode: shots of 60 to 100 s that at least `needed` of the episodes
 * contain, in the first or in the second half.
 */
export function detectLabels(
  episodes: readonly ComparedEpisode[],
  needed: number,
): { id: string; labels: EpisodeLabel[] }[] {
  const found = episodes.map(() => [] as Part[]);
  for (const [index, one] of episodes.entries()) {
    for (const [otherIndex, other] of episodes.entries()) {
      if (otherIndex <= index || one.name === other.name) continue;
      for (const { from, to, offset } of findSharedRuns(one.frames, other.frames, lengths)) {
        found[index]?.push({ from, to, name: other.name });
        found[otherIndex]?.push({ from: from + offset, to: to + offset, name: one.name });
      }
    }
  }
  return episodes.map(({ id, durationSeconds }, index) => ({
    id,
    labels: chooseLabels(groupRuns(found[index] ?? [], needed), durationSeconds),
  }));
}

/** The parts that enough other episodes contain. */
function groupRuns(runs: readonly Part[], needed: number): Range[] {
  const groups: Range[] = [];
  let left = runs;
  while (left.length > 0) {
    const [best = []] = left
      .map((seed) => left.filter((run) => overlap(seed, run) >= leastOverlap))
      .sort((a, b) => b.length - a.length);
    const names = new Set(best.map(({ name }) => name));
    if (names.size + 1 >= needed) {
      groups.push({
        from: median(best.map(({ from }) => from)),
        to: median(best.map(({ to }) => to)),
      });
    }
    left = left.filter((run) => !best.includes(run));
  }
  return groups;
}

/** The opening is the first part of the first half, and the ending the last one of the second half. */
function chooseLabels(parts: readonly Range[], durationSeconds: number): EpisodeLabel[] {
  const sorted = parts.filter(({ from, to }) => to - from <= durationSeconds / 2);
  sorted.sort((a, b) => a.from - b.from);
  const isFirstHalf = ({ from, to }: Range) => (from + to) / 2 < durationSeconds / 2;
  const opening = sorted.find(isFirstHalf);
  const ending = sorted.findLast((part) => !isFirstHalf(part));
  return [
    ...(opening === undefined ? [] : [{ label: "opening" as const, ...round(opening) }]),
    ...(ending === undefined ? [] : [{ label: "ending" as const, ...round(ending) }]),
  ];
}

function overlap(one: Range, other: Range): number {
  const shared = Math.min(one.to, other.to) - Math.max(one.from, other.from);
  return shared / Math.max(one.to - one.from, other.to - other.from);
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function round({ from, to }: Range): Range {
  const rounded = (seconds: number) => Math.round(seconds * 1000) / 1000;
  return { from: rounded(from), to: rounded(to) };
}
