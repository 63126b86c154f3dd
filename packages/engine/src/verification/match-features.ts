import type { Evidence } from "./evidence.ts";
import type { InlierArea } from "./inlier-area.ts";

/** The evidence of an alignment, and the share of the searched view that the frame covers, 0..1. */
export type AlignmentFeatures = Evidence & InlierArea & { coverage: number };

/** The measurements that score a frame: the cosine of its descriptor with a view, and its alignment. */
export type MatchFeatures = AlignmentFeatures & {
  cosine: number;
  /** For a region of a frame: the measurements of the whole frame, aligned where the region is located. */
  ofFrame?: AlignmentFeatures;
};
