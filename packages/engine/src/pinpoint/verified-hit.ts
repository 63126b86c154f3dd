import type { Hit } from "../frame-index/hit.ts";
import type { Region } from "../image/image-description.ts";
import type { MatchFeatures } from "../verification/match-features.ts";
import type { Projection } from "../verification/projection.ts";
import type { Pinpoint } from "./search-shot.ts";

/** A hit with the results of the steps after the nearest neighbours. */
export type VerifiedHit = Hit & {
  /** Result of the verification; missing when the hit was not verified. */
  verification?: Verification | undefined;
  /** The frame of its shot that resembles the image most; missing without strips. */
  pinpoint?: Pinpoint | undefined;
};

/** Probability that the frame matches the image, and its location in the image. */
type Verification = {
  similarity: number;
  /** The part of the image that shows the frame; null for the whole image. */
  region: Region | null;
  isMirrored: boolean;
  /** The measurements behind the similarity; null when the frame could not be aligned with the image. */
  features: MatchFeatures | null;
  /** Projects the frame into the image; missing where they could not be aligned. */
  projection?: Projection;
};
