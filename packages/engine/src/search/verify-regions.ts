import { frameRegions } from "../episode/frame-regions.ts";
import type { FrameView, FrameViews } from "../frame-index/frame-view.ts";
import type { ImageDescription } from "../image/image-description.ts";
import type { ScoreWeights } from "../model/score-weights.ts";
import { findBestFrame, REACH } from "../pinpoint/refine-frame.ts";
import type { VerifiedHit } from "../pinpoint/verified-hit.ts";
import type { MatchFeatures } from "../verification/match-features.ts";
import { compose, type Projection, stretchTo } from "../verification/projection.ts";
import type { Alignment, AlignmentInput, Verifier } from "../verification/verifier.ts";
import { pickCandidates } from "./candidates.ts";
import { agreementOf, scoreMatch, textFactorOf } from "./score-match.ts";
import { alignCoarsely, listInputs, shareOf } from "./verify-hits.ts";

/** Maximum number of regions that are aligned coarsely, in total and per batch. */
const COARSE_ALIGNMENTS = 24;
const BATCH = 8;
/** Regions of a batch that are aligned finely. */
const ALIGNMENTS = 3;
/** From this probability on, no further regions are compared. */
const CERTAIN = 0.97;
/**
 * Correlation of the coarse alignment below which a region is not aligned finely, and agreement below which it is not
 * compared with its frame. Measured on edited images: docs/decisions/verification.md.
 */
const LEAST_CORRELATION = 0.36;
const LEAST_AGREEMENT = 0.22;
/**
 * A part of a scene shows at least this fraction of the frame, and the frame covers at least this fraction of
 * the view.
 */
const LEAST_FRAME_OVERLAP = 0.13;
const LEAST_VIEW_COVERAGE = 0.75;
const IMPLAUSIBLE_FACTOR = 0.1;

type RegionVerification = {
  verifier: Verifier;
  scoreWeights: ScoreWeights;
  image: ImageDescription;
  /** Returns the stored thumbnail of a region. */
  regionThumbnailOf: (hit: VerifiedHit) => Uint8Array | undefined;
  loadRegions: FrameView["load"];
  frameOf: FrameViews["frameOf"];
  /** Returns the stored thumbnail of a frame. */
  thumbnailOf: (hit: VerifiedHit) => Uint8Array | undefined;
  loadFrames: FrameView["load"];
  /** Awaited after each region, so that other calls can run. */
  yieldNow: () => Promise<void> | undefined;
};

type AlignedHit = { hit: VerifiedHit; input: AlignmentInput; alignment: Alignment; features: MatchFeatures };

/**
 * Aligns the most promising regions of stored frames with the image, as `verifyHits` does with frames, and
 * returns their frames, each verified. An image that shows a fifth of a frame covers most of one of its
 * regions.
 */
export async function verifyRegions(
  hits: readonly VerifiedHit[],
  options: RegionVerification,
): Promise<VerifiedHit[]> {
  const { scoreWeights, verifier, yieldNow } = options;
  const inputs = await createInputs(hits, options);
  const found: VerifiedHit[] = [];
  for (let from = 0; from < inputs.length; from += BATCH) {
    const coarseMatches = await alignCoarsely(inputs.slice(from, from + BATCH), options);
    const placed: { frame: VerifiedHit; aligned: AlignedHit }[] = [];
    for (const { hit, input, hypotheses } of coarseMatches.slice(0, ALIGNMENTS)) {
      if ((hypotheses[0]?.score ?? 0) < LEAST_CORRELATION) continue;
      const frame = options.frameOf(hit);
      const alignment = frame && verifier.align(input, hypotheses);
      await yieldNow();
      if (frame === undefined || alignment === undefined) continue;
      if (agreementOf(alignment.evidence) < LEAST_AGREEMENT) continue;
      const coverage = verifier.coverageOf(alignment.projection, input.view);
      const features = { ...alignment.evidence, coverage, cosine: hit.cosine };
      placed.push({ frame, aligned: { hit, input, alignment, features } });
    }
    await options.loadFrames(
      placed.map(({ frame }) => frame),
      REACH,
    );
    for (const { frame, aligned } of placed) {
      found.push(refine(frame, aligned));
      await yieldNow();
    }
    if (found.some(({ verification }) => (verification?.similarity ?? 0) >= CERTAIN)) break;
  }
  return found;

  /**
   * Returns the frame of the shot that agrees best with the image at the location of the region, verified.
   */
  function refine(frame: VerifiedHit, placed: AlignedHit): VerifiedHit {
    const { input, alignment, features } = placed;
    const start = projectionOfFrame(placed);
    const compare = verifier.createComparison(input, { ...alignment, projection: start });
    const best = { ...frame, frame: findBestFrame(frame, options.thumbnailOf, compare) };
    const thumbnail = options.thumbnailOf(best);
    if (thumbnail === undefined) return best;
    const whole = verifier.alignNear({ ...input, thumbnail }, start);
    const coverage = verifier.coverageOf(whole.projection, input.view);
    const both = { ...features, ofFrame: { ...whole.evidence, coverage } };
    const { region, isMirrored } = whole;
    // A part that is cut out of a scene shows at least LEAST_FRAME_OVERLAP of it and no other content.
    const isPlausible = whole.evidence.overlap >= LEAST_FRAME_OVERLAP && coverage >= LEAST_VIEW_COVERAGE;
    const factor =
      textFactorOf(whole.evidence, () => verifier.plainShareOf(region)) *
      (isPlausible ? 1 : IMPLAUSIBLE_FACTOR);
    const similarity = scoreMatch(scoreWeights, both) * factor;
    return {
      ...best,
      verification: { similarity, region, isMirrored, features: both, projection: whole.projection },
    };
  }
}

/** Returns the projection of the whole frame into the image from the alignment of one of its regions. */
function projectionOfFrame({ hit, input, alignment }: AlignedHit): Projection {
  const region = frameRegions[hit.frame % frameRegions.length] ?? { x: 0, y: 0, width: 1, height: 1 };
  const { width, height, y } = region;
  // A mirrored view is compared with the frame's mirror image.
  const x = input.view.isMirrored ? 1 - region.x - width : region.x;
  const middle = [x + width / 2 - 0.5, y + height / 2 - 0.5] as const;
  const toRegion = stretchTo(1 / width, 1 / height, -middle[0] / width, -middle[1] / height);
  return compose(alignment.projection, toRegion);
}

async function createInputs(
  hits: readonly VerifiedHit[],
  { image, regionThumbnailOf, loadRegions }: RegionVerification,
) {
  const candidates = pickCandidates(hits, COARSE_ALIGNMENTS * shareOf(image));
  await loadRegions(candidates.map(({ hit }) => hit));
  return listInputs(candidates, image, regionThumbnailOf);
}
