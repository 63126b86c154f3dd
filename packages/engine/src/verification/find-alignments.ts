import type { AlignmentKernel } from "./alignment-kernel.ts";
import type { Patch } from "./patch.ts";
import { compose, type Projection, stretchTo } from "./projection.ts";

/** A projection of a frame into the image, and the correlation at low resolution. */
export type AlignmentHypothesis = { projection: Projection; score: number };

/** A normalised view at one size. */
export type ViewPatch = Omit<Patch, "valid">;

/** Widths of a view relative to the frame, in steps of an eighth. The refinement covers the sizes between. */
export const viewWidths: readonly number[] = [
  0.42, 0.5, 0.56, 0.63, 0.71, 0.8, 0.9, 1, 1.12, 1.26, 1.41, 1.6, 1.8,
];
/** Smallest fraction of the frame that must be visible; the evidence of a smaller one is too weak. */
export const leastOverlap = 0.28;
/** A good match of a large part of the frame outweighs a slightly better one of a small part. */
export const overlapPower = 0.35;

/** Number of first-pass sizes whose neighbours are tried too. */
const PROMISING = 2;

/**
 * Slides views of several sizes, the frame's own first and then in order, over the coarse frame in the kernel
 * and returns the best positions, one per size, best first (normalised correlation, Lewis 1995). It tries
 * every second size, then those next to the best. `view` projects the centred coordinates of the view into
 * the image.
 */
export function findHypotheses(
  kernel: AlignmentKernel,
  frame: { width: number; height: number },
  views: readonly ViewPatch[],
  view: Projection,
  limit: number,
): AlignmentHypothesis[] {
  const best: { score: number; dx: number; dy: number; patch: ViewPatch; size: number }[] = [];
  const tried = new Set<number>();
  const attempt = (size: number) => {
    const patch = views[size];
    if (patch === undefined || tried.has(size)) return;
    tried.add(size);
    const position = kernel.slide(patch);
    if (position !== undefined) best.push({ ...position, patch, size });
  };
  attempt(0);
  for (let size = 1; size < views.length; size += 2) attempt(size);
  best.sort((a, b) => b.score - a.score);
  for (const { size } of best.filter(({ size }) => size > 0).slice(0, PROMISING)) {
    attempt(size - 1);
    attempt(size + 1);
  }
  best.sort((a, b) => b.score - a.score);
  const { width, height } = frame;
  return best.slice(0, limit).map(({ score, dx, dy, patch }) => ({
    score,
    projection: compose(
      view,
      stretchTo(
        width / patch.width,
        height / patch.height,
        (width / 2 - dx) / patch.width - 0.5,
        (height / 2 - dy) / patch.height - 0.5,
      ),
    ),
  }));
}

/**
 * Returns the factors of a score by the number of pixels that a frame of `count` has in common with a view.
 */
export function areaFactorsOf(count: number): number[] {
  return Array.from({ length: count + 1 }, (_, area) =>
    area < leastOverlap * count ? 0 : (area / count) ** overlapPower,
  );
}
