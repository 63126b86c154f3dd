import type { ImageDescription } from "../image/image-description.ts";
import { EXACT_COST } from "../pinpoint/pinpoint.ts";
import { refinePlacement } from "../pinpoint/refine-placement.ts";
import { fitTone } from "../pinpoint/residual.ts";
import {
  halve,
  halveShown,
  type Placement,
  type ShownImage,
  sampleShownImage,
} from "../pinpoint/shown-image.ts";
import type { VerifiedHit } from "../pinpoint/verified-hit.ts";
import { frameThumbnailSize, readFrameThumbnail } from "../pixels/frame-thumbnail.ts";
import type { GreyRaster } from "../pixels/grey-raster.ts";
import { createGreyPyramid } from "../verification/grey-pyramid.ts";
import {
  type ComparedPixels,
  measureRepetition,
  measureShiftedAgreement,
} from "../verification/repetition.ts";

const PIXELS = frameThumbnailSize.width * frameThumbnailSize.height;
/** Less likely hits have no confident scene. */
const LEAST_SIMILARITY = 0.5;
const MOST_HITS = 12;
/** Hits after the first one of this similarity that is no pattern do not matter. */
const LIKELY = 0.9;
/** Difference from the image, as a share of its contrast, of a frame that the image shows most likely exactly. */
const EXACT_DIFFERENCE = 0.08;
const LEAST_CONTRAST = 4;
/**
 * The same, for a part of a frame. Of 15 right and confident parts 14 differ by at most 0.27 or less than
 * EXACT_COST; parts of other drawings with the same outlines by 0.32 to 0.58.
 */
const MOST_REGION_DIFFERENCE = 0.3;
/** A frame that repeats by less is no pattern; most frames do. */
const LEAST_REPETITION = 0.6;
/** Of 307 right scenes none repeats by as much, of 97 patterns over other works 0.9 do. */
const MOST_REPETITION = 0.85;
/** An agreement that is as good after a shift is none; a lower one than the first says nothing. */
const SHIFTED = { least: 0.45, share: 0.95 };
const DOUBT_FACTOR = 0.05;

type Options = { image: ImageDescription; thumbnailOf: (hit: VerifiedHit) => Uint8Array | undefined };

/**
 * Lowers the similarity of the best hits as long as their agreement is no proof. The frame may be a pattern that
 * the image does not show exactly: stripes, checks and rays agree with any image that is behind some. Or a part
 * of it has the same outlines as the image, as two drawn faces do, but other brightness.
 */
export function doubtHits(hits: readonly VerifiedHit[], { image, thumbnailOf }: Options): VerifiedHit[] {
  const { grey } = image;
  if (grey === null) return [...hits];
  const ordered = hits
    .filter((hit) => similarityOf(hit) >= LEAST_SIMILARITY)
    .sort((a, b) => similarityOf(b) - similarityOf(a))
    .slice(0, MOST_HITS);
  const doubted = new Set<VerifiedHit>();
  for (const hit of ordered) {
    if (isDoubtful(hit, grey)) doubted.add(hit);
    // A hit that is less likely by itself has the similarity of another one.
    else if ((hit.pinpoint?.verifiedSimilarity ?? 1) >= LIKELY) break;
  }
  if (doubted.size === 0) return [...hits];
  return hits.map((hit) => withSimilarity(hit, similarityOf(hit) * (doubted.has(hit) ? DOUBT_FACTOR : 1)));

  function isDoubtful(hit: VerifiedHit, raster: GreyRaster): boolean {
    const { pinpoint, verification, view } = hit;
    if (verification?.projection === undefined || (pinpoint?.cost ?? EXACT_COST + 1) <= EXACT_COST)
      return false;
    const frame = pinpoint === undefined ? readThumbnail(thumbnailOf(hit)) : halve(pinpoint.readPixels());
    if (frame === undefined) return false;
    const isRegion = verification.features?.ofFrame !== undefined;
    const isRepetitive = measureRepetition(frame) >= LEAST_REPETITION;
    if (!isRegion && !isRepetitive) return false;
    const pyramid = createGreyPyramid(raster);
    const show = (placement: Placement) => sampleShownImage(pyramid, placement, image.cover);
    const compare = (shown: ShownImage) => compareShown(frame, shown);
    const { projection, isMirrored } = verification;
    const aligned = { projection, isMirrored, isInverted: image.views[view]?.isInverted === true };
    const compared = [...(pinpoint === undefined ? [] : [pinpoint.shown]), show(aligned)].map(compare);
    const difference = Math.min(...compared.map(differenceOf));
    if (isRegion && pinpoint !== undefined && difference > MOST_REGION_DIFFERENCE) {
      const { shown } = refinePlacement(pinpoint.readPixels(), aligned, show);
      if (differenceOf(compare(shown)) > MOST_REGION_DIFFERENCE) return true;
    }
    return isRepetitive && difference > EXACT_DIFFERENCE && isPattern(compared);
  }
}

function compareShown(frame: Float32Array, shown: ShownImage): ComparedPixels {
  const { values, isValid } = halveShown(shown);
  return { frame, image: values, isValid };
}

/** The placement that agrees better is right. */
function isPattern(compared: readonly ComparedPixels[]): boolean {
  const [best] = compared.map(measureShiftedAgreement).sort((a, b) => b.agreement - a.agreement);
  if (best === undefined) return false;
  const { agreement, shiftedAgreement, repetition } = best;
  const isShifted = shiftedAgreement >= Math.max(SHIFTED.least, SHIFTED.share * agreement);
  return isShifted || repetition >= MOST_REPETITION;
}

/** Returns the mean difference of image and frame after a fit of their tones, as a share of the image's contrast. */
function differenceOf({ frame, image, isValid }: ComparedPixels): number {
  const { gain, offset } = fitTone({ values: image, isValid }, frame);
  let [count, sum, squares, difference] = [0, 0, 0, 0];
  for (let at = 0; at < PIXELS; at++) {
    if (isValid[at] !== 1) continue;
    const value = image[at] ?? 0;
    count++;
    sum += value;
    squares += value * value;
    difference += Math.abs(gain * (frame[at] ?? 0) + offset - value);
  }
  if (count === 0) return Number.POSITIVE_INFINITY;
  const deviation = Math.sqrt(Math.max(0, squares / count - (sum / count) ** 2));
  return difference / count / Math.max(LEAST_CONTRAST, deviation);
}

function readThumbnail(thumbnail: Uint8Array | undefined): Float32Array | undefined {
  return thumbnail && readFrameThumbnail(thumbnail);
}

function similarityOf({ verification }: VerifiedHit): number {
  return verification?.similarity ?? 0;
}

/** A pinpointed hit has at most its own similarity: it must not have that of a pattern. */
function withSimilarity(hit: VerifiedHit, similarity: number): VerifiedHit {
  const { verification, pinpoint } = hit;
  if (verification === undefined) return hit;
  const most = pinpoint?.verifiedSimilarity ?? 1;
  return { ...hit, verification: { ...verification, similarity: Math.min(most, similarity) } };
}
