import type { Cover, ImageView, Region } from "../image/image-description.ts";
import { frameThumbnailSize } from "../pixels/frame-thumbnail.ts";
import type { GreyRaster } from "../pixels/grey-raster.ts";
import { openAlignmentKernel } from "./alignment-kernel.ts";
import { createCoverMask } from "./cover-mask.ts";
import { type Evidence, weighEvidence } from "./evidence.ts";
import {
  type AlignmentHypothesis,
  areaFactorsOf,
  findHypotheses,
  leastOverlap,
  type ViewPatch,
  viewWidths,
} from "./find-alignments.ts";
import { cornersInImage, distance, isPlausible, regionOf } from "./frame-shape.ts";
import { createGreyPyramid, levelFor } from "./grey-pyramid.ts";
import { type InlierArea, measureInlierArea } from "./inlier-area.ts";
import type { Patch } from "./patch.ts";
import { openPatchStore } from "./patch-store.ts";
import { plainShareOf } from "./plain-share.ts";
import { cornersOf, type Projection, projectionTo } from "./projection.ts";
import { type Agreement, refineAlignment } from "./refine-alignment.ts";
import { coverageOf } from "./view-coverage.ts";

/** The alignment of a frame with an image, and its evidence. */
export type Alignment = {
  evidence: Evidence & InlierArea;
  /** Projects the frame into the image. */
  projection: Projection;
  region: Region;
  isMirrored: boolean;
};

/** A stored frame, the aspect ratio of its video, and a view of the image that is similar to it. */
export type AlignmentInput = { thumbnail: Uint8Array; aspect: number; view: View };

type View = Pick<ImageView, "corners" | "isInverted" | "isMirrored" | "region">;

const { width: WIDTH, height: HEIGHT } = frameThumbnailSize;
const COARSE = { width: WIDTH / 2, height: HEIGHT / 2, reach: 2 };
const FINE = { width: WIDTH, height: HEIGHT, reach: 3 };
/** Deviation of brightness below which a window of a stretched thumbnail counts as blank. */
const SOFTNESS = 8;
const LEAST_SOFTNESS = 0.7;
const HYPOTHESES = 3;
const REFINED = 2;
/** Hypotheses whose score is below this fraction of the best one are not refined. */
const REFINED_SHARE = 0.85;
/** A lower score cannot become a match by refinement. */
const LEAST_COARSE_SCORE = 0.3;
const LEAST_BENT_SCORE = 0.45;
const LARGEST_VIEW = { width: 40, height: 48 };

/**
 * Aligns stored frames with one image and measures their agreement by local normalised correlation: first
 * coarsely over positions and sizes around the view that found the frame, then refined to an affine map and,
 * where it improves the score, a projection. Blank areas have no weight, and the cover is not compared. The
 * arithmetic on pixels is in kernels/verification. The caller must dispose of the verifier.
 */
export function createVerifier(image: GreyRaster, cover?: Cover) {
  const hide = cover && createCoverMask(cover, image);
  const pyramid = createGreyPyramid(image);
  const kernel = openAlignmentKernel();
  const fine = { name: "frame", patch: kernel.patchOf("frame", FINE.width, FINE.height) } as const;
  const coarse = {
    name: "coarseFrame",
    patch: kernel.patchOf("coarseFrame", COARSE.width, COARSE.height),
  } as const;
  const viewCache = new Map<View, Map<number, ViewPatch[]>>();
  const patchValues = openPatchStore();
  kernel.setAreaFactors(areaFactorsOf(COARSE.width * COARSE.height));

  /** Fills a patch with the image under a projection. */
  function sample(
    name: "image" | "view",
    patch: Patch,
    projection: Projection,
    contrast: number,
    reach: number,
  ) {
    kernel.sample(pyramid, projection, levelFor(pyramid, projection, patch), name, patch);
    hide?.(patch, projection);
    // The softness of the image is scaled to its contrast, like the stretched thumbnail of the frame.
    const factor = kernel.deviationOf(name, patch) / Math.max(1, contrast);
    kernel.normalise(name, patch, reach, Math.max(LEAST_SOFTNESS, SOFTNESS * Math.min(1.5, factor)));
  }

  const show = ({ width, height, reach }: typeof COARSE, contrast: number) => {
    const patch = kernel.patchOf("image", width, height);
    return (projection: Projection) => sample("image", patch, projection, contrast, reach);
  };

  /** Returns the view at all sizes that it may have in a frame of this aspect ratio. */
  function viewPatches(view: View, projection: Projection, aspect: number, contrast: number): ViewPatch[] {
    const byAspect = viewCache.get(view) ?? new Map<number, ViewPatch[]>();
    viewCache.set(view, byAspect);
    const cached = byAspect.get(aspect);
    if (cached !== undefined) return cached;
    const sizes = [[COARSE.width, COARSE.height] as const, ...sizesOf(projection, aspect)];
    const created = sizes.map(([width, height]) => {
      const shown = kernel.patchOf("view", width, height);
      sample("view", shown, projection, contrast, COARSE.reach);
      return { width, height, values: patchValues.store(shown.values) };
    });
    byAspect.set(aspect, created);
    return created;
  }

  /** Reads a thumbnail as a view shows it and normalises it; returns its contrast. */
  function fillFine(thumbnail: Uint8Array, { isMirrored, isInverted = false }: View): number {
    kernel.readThumbnail(thumbnail, { isMirrored, isInverted });
    const contrast = kernel.deviationOf(fine.name, fine.patch);
    kernel.normalise(fine.name, fine.patch, FINE.reach, SOFTNESS);
    return contrast;
  }

  /** Does the same at both sizes. */
  function fillFrame(thumbnail: Uint8Array, view: View): number {
    const contrast = fillFine(thumbnail, view);
    kernel.normalise(coarse.name, coarse.patch, COARSE.reach, SOFTNESS);
    return contrast;
  }

  /** Completes an alignment that was refined with `showFine`. */
  function toAlignment(
    { projection, evidence }: Agreement,
    { isMirrored }: View,
    showFine: (projection: Projection) => void,
  ): Alignment {
    showFine(projection);
    const area = measureInlierArea(fine.patch, kernel.patchOf("image", FINE.width, FINE.height));
    return {
      evidence: { ...evidence, ...area },
      projection,
      region: regionOf(projection, image),
      isMirrored,
    };
  }

  return {
    /** Returns the coarse alignment hypotheses of a frame, starting from a view, best first. */
    alignCoarsely({ thumbnail, aspect, view }: AlignmentInput): AlignmentHypothesis[] {
      const contrast = fillFrame(thumbnail, view);
      const start = projectionTo(cornersInImage(view, image));
      const views = viewPatches(view, start, aspect, contrast);
      kernel.measureFrame();
      return findHypotheses(kernel, COARSE, views, start, HYPOTHESES);
    },

    /**
     * Returns the best alignment from the hypotheses of `alignCoarsely` for the same frame and view;
     * undefined without one.
     */
    align(
      { thumbnail, aspect, view }: AlignmentInput,
      hypotheses: readonly AlignmentHypothesis[],
    ): Alignment | undefined {
      const contrast = fillFrame(thumbnail, view);
      const showCoarse = show(COARSE, contrast);
      const showFine = show(FINE, contrast);
      const corners = cornersInImage(view, image);
      const refined: Agreement[] = [];
      for (const { projection } of hypotheses) {
        const affine = { iterations: 4, isPerspective: false };
        refined.push(refineAlignment(coarse, showCoarse, projection, affine));
      }
      refined.sort((a, b) => b.score - a.score);
      const least = Math.max(LEAST_COARSE_SCORE, (refined[0]?.score ?? 0) * REFINED_SHARE);
      let best: Agreement | undefined;
      for (const { projection, score } of refined.slice(0, REFINED)) {
        if (score < least) break;
        const affine = { iterations: 5, isPerspective: false };
        const found = refineAlignment(fine, showFine, projection, affine);
        if (isPlausible(found.projection, aspect, corners) && found.score > (best?.score ?? 0)) best = found;
      }
      if (best === undefined) return undefined;
      const perspective = { iterations: best.score < LEAST_BENT_SCORE ? 0 : 5, isPerspective: true };
      const bent = refineAlignment(fine, showFine, best.projection, perspective);
      if (bent.score > best.score * 1.01 && isPlausible(bent.projection, aspect, corners)) best = bent;
      if (best.evidence.overlap < leastOverlap * 0.8) return undefined;
      return toAlignment(best, view, showFine);
    },

    /**
     * Returns the best alignment near an approximate projection, also of a frame of which the image shows a
     * small part.
     */
    alignNear({ thumbnail, view }: AlignmentInput, start: Projection): Alignment {
      const contrast = fillFine(thumbnail, view);
      const showFine = show(FINE, contrast);
      const affine = { iterations: 4, isPerspective: false };
      return toAlignment(refineAlignment(fine, showFine, start, affine), view, showFine);
    },

    /** Returns the fraction of a view that the frame covers under a projection, 0..1. */
    coverageOf: (projection: Projection, view: View): number =>
      coverageOf(cornersOf(projection), cornersInImage(view, image)),

    /** Returns the largest share of a part of the image that has one brightness, 0..1. */
    plainShareOf: (region: Region): number => plainShareOf(image, region, cover),

    /**
     * Returns a function that measures the agreement of other frames (their thumbnails) with the image at the
     * location of one frame: correlation, -1..1.
     */
    createComparison({ thumbnail, view }: AlignmentInput, { projection }: Alignment) {
      const contrast = fillFine(thumbnail, view);
      show(FINE, contrast)(projection);
      const shown = kernel.patchOf("image", FINE.width, FINE.height);
      const [values, valid] = [shown.values.slice(), shown.valid.slice()];
      return (other: Uint8Array): number => {
        fillFine(other, view);
        shown.values.set(values);
        shown.valid.set(valid);
        return weighEvidence(kernel.compare("frame", "image", shown), values.length).correlation;
      };
    },

    [Symbol.dispose]: (): void => patchValues[Symbol.dispose](),
  };
}

/** Aligns stored frames with one image. */
export type Verifier = ReturnType<typeof createVerifier>;

/** Returns the sizes of the view in coarse pixels of the frame. */
function sizesOf(view: Projection, aspect: number): (readonly [width: number, height: number])[] {
  const [a, b, c, d] = cornersOf(view);
  const width = (distance(a, b) + distance(d, c)) / 2;
  const height = (distance(a, d) + distance(b, c)) / 2;
  const perWidth = (height / Math.max(1, width)) * aspect * (COARSE.height / COARSE.width);
  return viewWidths
    .map((share) => {
      const across = Math.round(COARSE.width * share);
      return [across, Math.round(across * perWidth)] as const;
    })
    .filter(
      ([across, down]) =>
        across * down >= leastOverlap * COARSE.width * COARSE.height &&
        across <= LARGEST_VIEW.width &&
        down <= LARGEST_VIEW.height,
    );
}
