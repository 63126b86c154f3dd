import { openKernel, type SharedMemory } from "./kernel.ts";
import type { LabelRange } from "./label-ranges.ts";

/** A stored frame and its similarity to a view. */
export type Neighbour = { label: number; cosine: number };

export type FrameSearchOptions = {
  /** Neighbours per view. */
  count: number;
  /** Limits the search to labels in these ranges. */
  ranges?: readonly LabelRange[] | undefined;
  /** Limits of the comparisons; the default is sufficient for the documented recall. */
  effort?: SearchEffort | undefined;
};

/** Limits per view: the leaves, and the frames that they contain. */
export type SearchEffort = {
  leaves: number;
  frames: number;
  /** Leaves of lower mean similarity are skipped unless they are this far towards the view; 2 skips none. */
  spread: number;
};

/** Views of one call of the kernel, which stores a set of views as bits of one number. */
const MOST_VIEWS = 64;
/**
 * Reading a frame by its label is a cache miss and costs about as much as comparing it with this many views.
 */
const MISS_VIEWS = 12;
/** Up to this number all frames are compared: 0.1 ms per view. */
const EXACT_FRAMES = 20_000;

/** Searches vectors that another thread may change. Each thread uses its own number from 0 to 63. */
export function createFrameSearcher(memory: SharedMemory, reader: number) {
  const kernel = openKernel(memory);
  const dimensions = kernel.dimensions();

  /** Returns the nearest stored frames of each view (a unit vector), best first; equal ones by label. */
  function search(views: readonly Float32Array[], options: FrameSearchOptions): Neighbour[][] {
    const found: Neighbour[][] = [];
    for (let from = 0; from < views.length; from += MOST_VIEWS) {
      found.push(...searchSome(views.slice(from, from + MOST_VIEWS), options));
    }
    return found;
  }

  function searchSome(views: readonly Float32Array[], { count, ranges, effort }: FrameSearchOptions) {
    const frames = kernel.recordCount();
    if (count === 0 || frames === 0 || views.length === 0) return views.map(() => []);
    const chosen = effort ?? effortFor(frames, kernel.leafCount());
    const { leaves, frames: budget, spread } = chosen;
    const scratch = area(0, kernel.searchBytes(views.length, count, leaves));
    const vectors = kernel.prepare(scratch, views.length, count, leaves) >>> 0;
    const into = new Float32Array(memory.buffer, vectors, views.length * dimensions);
    for (const [view, vector] of views.entries()) {
      if (vector.length !== dimensions) throw new RangeError(`A view has ${vector.length} dimensions.`);
      into.set(vector, view * dimensions);
    }
    if (ranges === undefined) kernel.search(reader, views.length, leaves, budget, spread, 0, 0);
    else searchRanges(views.length, ranges, chosen);
    return views.map((_, view) => readResults(view));
  }

  function searchRanges(views: number, ranges: readonly LabelRange[], effort: SearchEffort): void {
    const labels = ranges.reduce((sum, { first, end }) => sum + end - first, 0);
    const fullCost = views * (effort.frames + kernel.leafCount());
    if (labels * (views + MISS_VIEWS) <= fullCost) {
      kernel.begin(views);
      for (const { first, end } of ranges) kernel.compareRange(reader, views, first, end);
      kernel.finish(views);
      return;
    }
    const end = ranges.reduce((most, range) => Math.max(most, range.end), 0);
    const bits = area(1, (end >> 3) + 1);
    const into = new Uint8Array(memory.buffer, bits, (end >> 3) + 1);
    into.fill(0);
    for (const range of ranges) setBits(into, range);
    kernel.search(reader, views, effort.leaves, effort.frames, effort.spread, bits, end);
  }

  function area(kind: 0 | 1, bytes: number): number {
    const address = kernel.readerArea(reader, kind, bytes) >>> 0;
    if (address === 0) throw new RangeError("There is no memory for a search.");
    return address;
  }

  function readResults(view: number): Neighbour[] {
    const at = kernel.resultsOf(view) >>> 0;
    const size = new Uint32Array(memory.buffer, at, 1)[0] ?? 0;
    const words = new Uint32Array(memory.buffer, at + 8, size * 2);
    return Array.from({ length: size }, (_, rank) => ({
      label: ~(words[2 * rank] ?? 0) >>> 0,
      cosine: toFloat(words[2 * rank + 1] ?? 0),
    }));
  }

  return {
    search,
    /** Returns the unit vector of a label; undefined when it is not stored. */
    vectorOf(label: number): Float32Array | undefined {
      const between = area(0, dimensions * 8);
      const to = between + dimensions * 4;
      if (kernel.copyVector(reader, label, between, to) === 0) return undefined;
      return new Float32Array(memory.buffer, to, dimensions).slice();
    },
    /** Frames that the last search compared, times views. */
    comparisons: () => kernel.scannedRecords(),
  };
}

export type FrameSearcher = ReturnType<typeof createFrameSearcher>;

/**
 * Returns the effort that finds at least 98 % of the nearest 100 frames of edited images, measured up to a
 * million frames in docs/decisions/vector-index.md. `leaves` bounds the cost of views that are similar to no
 * frame.
 */
function effortFor(frames: number, leaves: number): SearchEffort {
  if (frames <= EXACT_FRAMES) return { leaves, frames, spread: 2 };
  // The worst of the nearest is an extreme among more frames: 0.5 up to 200,000 and 0.55 at a million.
  const growth = Math.max(0, Math.log(frames / 200_000) / Math.log(5));
  return { leaves: Math.min(leaves, 1024), frames, spread: Math.min(0.7, 0.5 + 0.05 * growth) };
}

const word = new Uint32Array(1);
const float = new Float32Array(word.buffer);

/** Keys have the order of floats; see kernels/nearest-neighbours/heap.ts. */
function toFloat(ordered: number): number {
  word[0] = ordered & 0x80000000 ? ordered ^ 0x80000000 : ~ordered;
  return float[0] ?? 0;
}

function setBits(bits: Uint8Array, { first, end }: LabelRange): void {
  for (let label = first; label < end; ) {
    if (label % 8 === 0 && label + 8 <= end) {
      const whole = (end - label) >> 3;
      bits.fill(255, label >> 3, (label >> 3) + whole);
      label += whole * 8;
    } else {
      bits[label >> 3] = (bits[label >> 3] ?? 0) | (1 << (label & 7));
      label++;
    }
  }
}
