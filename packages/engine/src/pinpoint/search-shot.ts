import { fitTone, residualOf, residualsOf, type ToneFit } from "./residual.ts";
import { areDrawingsAlike, type DrawingParts, partsOf, pixelsOf, type Shot } from "./shot-frames.ts";
import type { ShownImage } from "./shown-image.ts";

/** The frame of a shot that resembles an image most. */
export type BestFrame = {
  atSeconds: number;
  /**
   * Mean absolute difference from the image, in levels of the frame, and what the image and the frame do not
   * share.
   */
  cost: number;
  /** Its drawing in the shot. */
  drawing: number;
};

/** A best frame with the tone of the image. */
export type ComparedDrawing = BestFrame & { fit: ToneFit };

/** The run of frames that look like the best one, and the parts of its drawing. */
export type AlikeFrames = { looksSameFrom: number; looksSameTo: number; parts: DrawingParts };

/** The frame of the shot of a hit that resembles the image most. */
export type Pinpoint = BestFrame &
  AlikeFrames & {
    /** The similarity of the hit before the hits were ordered. */
    verifiedSimilarity: number;
    /** The image where the frame shows it. */
    shown: ShownImage;
    /** Returns the grey values of the frame, 80 by 48. */
    readPixels: () => Uint8Array;
  };

/** Cost of the part of the image that the frame does not show, in levels. */
const UNEXPLAINED_COST = 20;
/** Cost of the part of the frame that the image does not show: most images show whole frames. */
const HIDDEN_COST = 2;

/** Compares one drawing of a shot with the image where it is placed. */
export function compareDrawing(shot: Shot, shown: ShownImage, drawing: number): ComparedDrawing {
  const pixels = pixelsOf(shot, drawing);
  const fit = fitTone(shown, pixels);
  const cost = residualOf(shown, pixels, fit) + costOfPlacement(shown);
  return { drawing, cost, fit, atSeconds: shot.atSeconds[shot.drawingOf.indexOf(drawing)] ?? 0 };
}

/** Compares each drawing of a shot, and returns the best one. `near` is a likely one, which has the tone. */
export function searchShot(shot: Shot, shown: ShownImage, near: ComparedDrawing): ComparedDrawing {
  const residuals = residualsOf(shown, shot, near.fit);
  let { drawing } = near;
  for (let at = 0; at < residuals.length; at++)
    if ((residuals[at] ?? 0) < (residuals[drawing] ?? 0)) drawing = at;
  // The fit is that of the best frame here, so that shots can be compared.
  return drawing === near.drawing ? near : compareDrawing(shot, shown, drawing);
}

/** Returns the run of frames of a shot that look like a drawing of it. */
export function findAlikeFrames(shot: Shot, drawing: number): AlikeFrames {
  const isAlike = (other: number) =>
    other >= 0 && other < shot.drawings.length && areDrawingsAlike(shot, other, drawing);
  let [from, to] = [drawing, drawing];
  while (isAlike(from - 1)) from--;
  while (isAlike(to + 1)) to++;
  return {
    looksSameFrom: shot.atSeconds[shot.drawingOf.indexOf(from)] ?? 0,
    looksSameTo: shot.atSeconds[shot.drawingOf.lastIndexOf(to)] ?? 0,
    parts: partsOf(shot, drawing),
  };
}

/** Returns the cost of what image and frame do not share, in levels. */
export function costOfPlacement({ explainedShare, hiddenShare }: ShownImage): number {
  return UNEXPLAINED_COST * (1 - explainedShare) + HIDDEN_COST * hiddenShare;
}
