import type { FrameView } from "../frame-index/frame-view.ts";
import { shotKeyOf } from "../frame-index/hit.ts";
import type { ImageDescription, ImageView } from "../image/image-description.ts";
import type { GreyRaster } from "../pixels/grey-raster.ts";
import { cornersInImage } from "../verification/frame-shape.ts";
import { createGreyPyramid } from "../verification/grey-pyramid.ts";
import { projectionTo } from "../verification/projection.ts";
import { REACH } from "./refine-frame.ts";
import { refinePlacement } from "./refine-placement.ts";
import { type ComparedDrawing, compareDrawing, findAlikeFrames, searchShot } from "./search-shot.ts";
import { decodeShot, drawingAt, pixelsOf, type Shot } from "./shot-frames.ts";
import { type Placement, type ShownImage, sampleShownImage } from "./shown-image.ts";
import { COARSE_COST, findStoredFrame } from "./stored-frame.ts";
import type { VerifiedHit } from "./verified-hit.ts";

/** A verified hit of at least this probability is pinpointed, with the others that are nearly as likely. */
const LEAST_SIMILARITY = 0.5;
const MOST_GAP = 0.3;
/** Shots whose strips are compared with the image. */
const MOST_SHOTS = 12;
/** Shots whose strips are read: some episodes have none. */
const MOST_READ_SHOTS = 2 * MOST_SHOTS;
/** Costs are in levels. A view of a lower cost shows the frame exactly, and its alignment is not needed. */
export const EXACT_COST = 6;
/** An alignment must be better than the view by this, because it fits other frames too. */
const ALIGNMENT_COST = 0.15;
/** All frames of a shot are compared where the frame of the hit costs at most this. */
const LARGEST_COST = 30;
/** The same, relative to the best frame so far. */
const NEAR_BEST = { factor: 2, levels: 3 };

/** The best frame of a shot, and how the image shows it; `shownCost` is that of an alignment. */
type Found = { hit: VerifiedHit; shot: Shot; best: ComparedDrawing; shown: ShownImage; shownCost: number };

type Options = {
  image: ImageDescription;
  load: FrameView["load"];
  thumbnailOf: FrameView["thumbnailOf"];
  loadStrips: FrameView["loadStrips"];
  stripsOf: FrameView["stripsOf"];
  /** Returns other shots with the same content. */
  recurrencesOf: (hit: VerifiedHit) => Promise<readonly VerifiedHit[]>;
  yieldNow: () => Promise<void> | undefined;
};

/**
 * Orders the most likely shots by their difference from the image, pixel by pixel: the verification does not
 * tell frames of one composition apart. Returns the hits of those shots, best first, each at its best frame.
 */
export async function pinpointHits(hits: readonly VerifiedHit[], options: Options): Promise<VerifiedHit[]> {
  const { image, load, thumbnailOf, loadStrips, stripsOf, recurrencesOf, yieldNow } = options;
  const { grey, cover } = image;
  const verified = hits.filter((hit) => hit.verification?.projection !== undefined);
  const ordered = [...verified].sort((a, b) => similarityOf(b) - similarityOf(a) || b.cosine - a.cosine);
  const [first] = ordered;
  if (grey === null || first === undefined || similarityOf(first) < LEAST_SIMILARITY) return [];
  const pyramid = createGreyPyramid(grey);
  const show = (placement: Placement) => sampleShownImage(pyramid, placement, cover);
  const views = new Map<number, ShownImage>();
  const likely = ordered.filter((hit) => similarityOf(hit) >= similarityOf(first) - MOST_GAP);
  const { view, verification } = first;
  // A shot that returns shows the same at the same position of the image.
  const returning = (await recurrencesOf(first)).map((hit): VerifiedHit => ({ ...hit, view, verification }));
  await loadStrips(firstOfEachShot([...likely, ...returning]).slice(0, MOST_READ_SHOTS));
  const found = new Map<string, Found>();
  let best: Found | undefined;
  for (const hit of [...likely, ...returning]) {
    const key = shotKeyOf(hit);
    if (found.has(key)) continue;
    if (found.size >= MOST_SHOTS) break;
    const shot = decodeShot(stripsOf(hit), hit.episode.table.atSeconds[hit.frame] ?? 0);
    if (shot.drawings.length === 0) continue;
    const one = search(hit, shot, grey);
    found.set(key, one);
    if (best === undefined || one.best.cost < best.best.cost) best = one;
    await yieldNow();
  }
  for (const one of found.values()) {
    if (best !== undefined) searchAsBest(one, best);
    await yieldNow();
  }
  const coarse = [...found.values()].filter(isCoarse);
  if (coarse.length > 0) await load(hitsOf(coarse), REACH);
  for (const one of coarse) {
    const stored = findStoredFrame(one.hit, one.shown, one.best.fit, thumbnailOf);
    if (stored !== undefined)
      one.best = { ...one.best, ...stored, drawing: drawingAt(one.shot, stored.atSeconds) };
    await yieldNow();
  }
  const sorted = [...found.values()].sort((a, b) => a.best.cost - b.best.cost);
  // The probabilities stay, and the order is that of the residuals.
  const similarities = sorted.map(({ hit }) => similarityOf(hit)).sort((a, b) => b - a);
  return sorted.map(({ hit, shot, shown, best: { atSeconds, cost, drawing } }, at): VerifiedHit => {
    const { verification } = hit;
    return {
      ...hit,
      frame: frameAt(hit, atSeconds),
      verification: verification && { ...verification, similarity: similarities[at] ?? 0 },
      pinpoint: {
        atSeconds,
        cost,
        drawing,
        verifiedSimilarity: similarityOf(hit),
        shown,
        readPixels: () => pixelsOf(shot, drawing),
        ...findAlikeFrames(shot, drawing),
      },
    };
  });

  /** Searches a shot with the view as it is, and with its alignment where that is not exact. */
  function search(hit: VerifiedHit, shot: Shot, grey: GreyRaster): Found {
    const near = drawingAt(shot, hit.episode.table.atSeconds[hit.frame] ?? 0);
    const whole = showView(hit.view, grey);
    const ofView = searchNear({ hit, shot, shown: whole, shownCost: 0 }, near);
    if (ofView.best.cost <= EXACT_COST) return ofView;
    const start = placementOf(hit, image);
    if (start === undefined) return ofView;
    if (!isNear(compareDrawing(shot, show(start), near).cost, best)) return ofView;
    const { shown } = refinePlacement(pixelsOf(shot, near), start, show);
    const aligned = searchNear({ hit, shot, shown, shownCost: ALIGNMENT_COST }, near);
    return aligned.best.cost < ofView.best.cost ? aligned : ofView;
  }

  /** Without a chance of the first position the frame of the hit is exact enough. */
  function searchNear(one: Omit<Found, "best">, drawing: number): Found {
    const { shot, shown, shownCost } = one;
    const near = compareDrawing(shot, shown, drawing);
    const isLikely = near.cost <= LARGEST_COST && isNear(near.cost, best);
    const found = isLikely ? searchShot(shot, shown, near) : near;
    return { ...one, best: { ...found, cost: found.cost + shownCost } };
  }

  function showView(at: number, size: GreyRaster): ShownImage {
    const known = views.get(at);
    if (known !== undefined) return known;
    const view: Partial<ImageView> = image.views[at] ?? {};
    const { region = null, corners, isMirrored = false, isInverted = false } = view;
    const quad = corners === undefined ? { region } : { region, corners };
    const projection = projectionTo(cornersInImage(quad, size));
    const shown = show({ projection, isMirrored, isInverted });
    views.set(at, shown);
    return shown;
  }
}

/** Searches a shot as the image shows the best one: its alignment is the most exact one. */
function searchAsBest(one: Found, best: Found): void {
  const { shown, shownCost } = best;
  if (one.shown === shown) return;
  const near = compareDrawing(one.shot, shown, one.best.drawing);
  if (!isNear(near.cost, best)) return;
  const found = searchShot(one.shot, shown, near);
  if (found.cost + shownCost < one.best.cost) one.best = { ...found, cost: found.cost + shownCost };
}

function isNear(cost: number, best: Found | undefined): boolean {
  return best === undefined || cost <= best.best.cost * NEAR_BEST.factor + NEAR_BEST.levels;
}

/** The view as it is, because alignments fit other frames too. */
function isCoarse({ best, shownCost }: Found): boolean {
  return shownCost === 0 && best.cost >= COARSE_COST;
}

function hitsOf(found: readonly Found[]): VerifiedHit[] {
  return found.map(({ hit }) => hit);
}

/** Returns the stored frame of the shot that represents a time: the last one before it. */
function frameAt({ episode: { table }, frame }: VerifiedHit, seconds: number): number {
  const shot = table.shotOf[frame];
  let best = frame;
  while (best > 0 && (table.atSeconds[best] ?? 0) > seconds && table.shotOf[best - 1] === shot) best--;
  while (
    table.shotOf[best + 1] === shot &&
    (table.atSeconds[best + 1] ?? Number.POSITIVE_INFINITY) <= seconds
  )
    best++;
  return best;
}

function similarityOf({ verification }: VerifiedHit): number {
  return verification?.similarity ?? 0;
}

function firstOfEachShot(hits: readonly VerifiedHit[]): VerifiedHit[] {
  const shots = new Map<string, VerifiedHit>();
  for (const hit of hits) if (!shots.has(shotKeyOf(hit))) shots.set(shotKeyOf(hit), hit);
  return [...shots.values()];
}

function placementOf({ view, verification }: VerifiedHit, image: ImageDescription): Placement | undefined {
  if (verification?.projection === undefined) return undefined;
  const { projection, isMirrored } = verification;
  return { projection, isMirrored, isInverted: image.views[view]?.isInverted === true };
}
