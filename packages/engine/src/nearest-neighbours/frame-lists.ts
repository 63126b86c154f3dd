import { setTimeout as pause } from "node:timers/promises";
import { createYield } from "../yield.ts";
import { createFrameSearcher } from "./frame-searcher.ts";
import { createSharedMemory, type Kernel, openKernel, type SharedMemory } from "./kernel.ts";
import { createLabelRanges, type LabelRange, type LabelState } from "./label-ranges.ts";

const BATCH_RECORDS = 32;
/** Frames of leaves that are refined per added frame. */
const REFINED_PER_ADDED = 8;
const REFINE_FRAMES = 2048;
const HIDE_LABELS = 8192;
const LARGEST_DIMENSIONS = 1024;
/** The searches of the writer; other threads use the numbers from 1. */
const OWN_READER = 0;

/**
 * Vectors of frames in lists around centroids (an inverted file: Sivic and Zisserman 2003, Jégou et al.
 * 2011), as int8 codes with one factor each, in memory that searchers of other threads share. Only this
 * thread changes them, and its changes must not overlap. `axes` (orthonormal rows, those of most energy
 * first) let most comparisons end after half of the dimensions; results are the same without them.
 */
export function createFrameLists(dimensions: number, axes?: Float32Array): FrameLists {
  if (dimensions % 16 !== 0 || dimensions <= 0 || dimensions > LARGEST_DIMENSIONS) {
    throw new RangeError(`Vectors of ${dimensions} dimensions are not supported.`);
  }
  if (axes !== undefined && axes.length !== dimensions ** 2)
    throw new RangeError("The axes have the wrong size.");
  const memory = createSharedMemory();
  const kernel = openKernel(memory);
  if (kernel.create(dimensions, axes === undefined ? 0 : 1) === 0) {
    throw new RangeError("There is no memory for the vector index.");
  }
  if (axes !== undefined) new Float32Array(memory.buffer, kernel.axes() >>> 0, axes.length).set(axes);
  return wrapFrameLists(memory, kernel);
}

/** Continues with the memory of a loaded snapshot. */
export function wrapFrameLists(memory: SharedMemory, kernel: Kernel, state?: LabelState) {
  const dimensions = kernel.dimensions();
  const input = kernel.writerInput() >>> 0;
  const searcher = createFrameSearcher(memory, OWN_READER);
  const labels = createLabelRanges(state);
  let hidden = 0;

  /**
   * Stores the frames of an episode; searches return them after `show`. Throws RangeError when the memory is
   * full.
   */
  async function add(vectors: Int8Array): Promise<LabelRange> {
    if (vectors.length % dimensions !== 0)
      throw new RangeError("The vectors have the wrong number of dimensions.");
    const count = vectors.length / dimensions;
    const range = takeLabels(count);
    const yieldNow = createYield();
    try {
      for (let done = 0; done < count; done += BATCH_RECORDS) {
        const batch = Math.min(BATCH_RECORDS, count - done);
        new Int8Array(memory.buffer, input).set(
          vectors.subarray(done * dimensions, (done + batch) * dimensions),
        );
        for (let inserted = 0; inserted < batch; ) {
          await reserve();
          const label = range.first + done + inserted;
          inserted += kernel.insertAll(input + inserted * dimensions, label, batch - inserted);
        }
        await yieldNow();
      }
    } catch (error) {
      await remove(range);
      throw error;
    }
    return range;
  }

  function takeLabels(count: number): LabelRange {
    const range = labels.take(count);
    if (kernel.reserveLabels(range.end) !== 0) return range;
    labels.release(range);
    throw isFull();
  }

  async function reserve(): Promise<void> {
    for (;;) {
      const state = kernel.reserve();
      if (state === 0) return;
      if (state === 1) throw isFull();
      await pause(1);
    }
  }

  /** Makes the frames visible to searches. */
  function show({ first, end }: LabelRange): void {
    kernel.show(first, end);
  }

  /**
   * Improves the lists after `frames` frames were added. Every addition needs it: recall at a given cost
   * depends on it. Searches return the same frames at all times.
   */
  async function refine(frames: number): Promise<void> {
    const yieldNow = createYield();
    for (let left = frames * REFINED_PER_ADDED; left > 0; left -= REFINE_FRAMES) {
      if (kernel.refine(REFINE_FRAMES) < REFINE_FRAMES) await pause(1);
      await yieldNow();
    }
  }

  /** Hides frames from searches immediately; resolves when their memory is free. */
  async function remove({ first, end }: LabelRange): Promise<void> {
    const leaves = new Set<number>();
    for (let label = first; label < end; label += HIDE_LABELS) {
      const until = Math.min(end, label + HIDE_LABELS);
      kernel.hide(label, until, input);
      for (const leaf of new Uint32Array(memory.buffer, input, until - label)) leaves.add(leaf);
    }
    leaves.delete(0);
    labels.release({ first, end });
    hidden += end - first;
    const yieldNow = createYield();
    for (const leaf of leaves) {
      await reserve();
      kernel.purge(leaf);
      await yieldNow();
    }
    hidden -= end - first;
  }

  return {
    memory,
    dimensions,
    add,
    show,
    refine,
    remove,
    search: searcher.search,
    vectorOf: searcher.vectorOf,
    stats: () => ({
      frames: kernel.recordCount() - hidden,
      leaves: kernel.leafCount(),
      memoryBytes: memory.buffer.byteLength,
    }),
    /** The state that a snapshot stores besides the memory. */
    labels: labels.state,
    /** True if an episode of `count` frames needs no new labels. */
    hasFreeLabels: labels.hasFree,
  };
}

export type FrameLists = ReturnType<typeof wrapFrameLists>;

function isFull(): RangeError {
  return new RangeError("The vector index is full: its 4 GiB are used up.");
}
