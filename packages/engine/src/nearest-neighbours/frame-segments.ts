import type { FrameLists } from "./frame-lists.ts";
import type { Neighbour } from "./frame-searcher.ts";
import type { FrameVectors } from "./frame-vectors.ts";
import type { LabelRange } from "./label-ranges.ts";

/** A segment has a memory of 4 GiB, which holds 28 million frames of 128 dimensions. */
const MOST_FRAMES = 24_000_000;

/**
 * Frame lists one after the other, for more frames than one memory holds: a further segment is created when the last
 * one has `mostFrames`. Its labels follow those of the segments before it, which then take no new labels: an episode
 * is stored in them only in the place of removed ones. A search searches all segments.
 */
export function createFrameSegments(
  create: () => FrameLists,
  { lists = [create()], mostFrames = MOST_FRAMES }: { lists?: FrameLists[]; mostFrames?: number } = {},
): FrameSegments {
  const segments: Segment[] = [];
  for (const one of lists) append(one);
  let changed = segments.at(-1);

  function append(lists: FrameLists): Segment {
    const last = segments.at(-1);
    const segment = { lists, first: last === undefined ? 0 : last.first + last.lists.labels().nextLabel };
    segments.push(segment);
    return segment;
  }

  /** Returns the segment with a label. */
  function segmentOf(label: number): Segment {
    const found = segments.findLast(({ first }) => first <= label);
    if (found === undefined) throw new RangeError(`There is no label ${label}.`);
    return found;
  }

  /** Returns the first segment with room for an episode of `count` frames. */
  function choose(count: number): Segment {
    const fits = segments.find((segment) => {
      const isLast = segment === segments.at(-1);
      const { frames } = segment.lists.stats();
      if (frames + count > mostFrames) return isLast && frames === 0;
      return isLast || segment.lists.hasFreeLabels(count);
    });
    return fits ?? append(create());
  }

  return {
    async add(vectors) {
      changed = choose(vectors.length / (lists[0]?.dimensions ?? 0));
      return shift(await changed.lists.add(vectors), changed.first);
    },
    show(range) {
      const { lists, first } = segmentOf(range.first);
      lists.show(shift(range, -first));
    },
    async refine(frames) {
      await changed?.lists.refine(frames);
    },
    async remove(range) {
      const { lists, first } = segmentOf(range.first);
      await lists.remove(shift(range, -first));
    },
    search(views, { count, ranges }) {
      const found = segments.map((segment) => {
        const own = ranges?.filter((range) => segmentOf(range.first) === segment);
        return searchOne(segment, views, { count, ranges: own });
      });
      return found.length === 1 ? (found[0] ?? []) : views.map((_, view) => merge(found, view, count));
    },
    vectorOf(label) {
      const { lists, first } = segmentOf(label);
      return lists.vectorOf(label - first);
    },
    stats: () => ({ memoryBytes: segments.reduce((sum, { lists }) => sum + lists.stats().memoryBytes, 0) }),
    lists: () => segments.map((segment) => segment.lists),
  };
}

/** Frame lists one after the other. */
export type FrameSegments = FrameVectors & { lists(): FrameLists[] };

/** Lists whose label 0 is `first`. */
type Segment = { lists: FrameLists; first: number };

function searchOne(
  { lists, first }: Segment,
  views: readonly Float32Array[],
  { count, ranges }: { count: number; ranges: readonly LabelRange[] | undefined },
): Neighbour[][] {
  const found = lists.search(views, { count, ranges: ranges?.map((range) => shift(range, -first)) });
  if (first === 0) return found;
  return found.map((some) => some.map(({ label, cosine }) => ({ label: label + first, cosine })));
}

/** Returns the `count` best neighbours of a view in all segments; of equal ones those of the first segments. */
function merge(found: readonly Neighbour[][][], view: number, count: number): Neighbour[] {
  const all = found.flatMap((segment) => segment[view] ?? []);
  return all.sort((one, other) => other.cosine - one.cosine).slice(0, count);
}

function shift({ first, end }: LabelRange, by: number): LabelRange {
  return { first: first + by, end: end + by };
}
