import type { Box, Raster } from "../pixels/raster.ts";
import { createEdgeMaps, type EdgeMaps } from "./edge-maps.ts";
import { findCover } from "./find-cover.ts";
import { findDisc } from "./find-disc.ts";
import { findRectangles } from "./find-rectangles.ts";
import { findScreens } from "./find-screens.ts";
import { findUprightAngles } from "./find-upright-angles.ts";
import { isTilted } from "./is-tilted.ts";
import { findRotatedFrame, halfRotationOf, rotatedBoxes, uprightBox } from "./propose-rotated-views.ts";
import { boxOfQuad, distanceOf, overlapOf, type Quad, quadOfBox, rotateQuad } from "./quad.ts";
import { voteForLines } from "./slanted-lines.ts";
import { findBetweenBlurredBorders } from "./trim-blurred-borders.ts";
import { findTrimmedBox } from "./trim-borders.ts";

/**
 * An image whose aspect ratio differs by more than this factor may be cut out of a frame of the usual aspect
 * ratio.
 */
const NARROW = 1.5;
const WIDE = 2.1;
const FRAME_ASPECT = 16 / 9;

/** The reason why a part of the image is described. */
export type ViewKind =
  | "whole"
  | "trimmed"
  | "inside"
  | "screen"
  | "upright"
  | "rotated"
  | "tilted"
  | "inverted"
  | "uncovered"
  | "extended";

/** A part of a raster, by its corners in display order. */
export type ViewProposal = { kind: ViewKind; corners: Quad };

const MOST_INSIDE = 12;
const MOST_SCREENS = 3;
/** Boxes with this overlap have the same descriptor. */
const SAME_OVERLAP = 0.9;
/**
 * The area between borders is rotated upright instead of the whole image when it has at least this share of
 * it.
 */
const LEAST_INNER = 0.3;
/** A wider area is no frame on its side. */
const WIDE_FOR_QUARTERS = 1.5;

type ProposalOptions = {
  /** False omits views without the borders; parts of the image are proposed in both cases. */
  trimBorders?: boolean;
};

/** The proposed views of an image; the passes of a search share its edge maps. */
export type ProposedViews = {
  /**
   * The whole, the area inside borders of one colour or of a blurred fill, and the same without a cover: one to
   * four views.
   */
  first: ViewProposal[];
  /** The box that hides a part of the image; a round one is the disc around which all is hidden. */
  cover: (Box & { isRound: boolean }) | undefined;
  /**
   * Returns the other views: images inside the image, screens seen at an angle, the image rotated upright or
   * by quarters, inverted, and extended to a wide frame.
   */
  further(): ViewProposal[];
};

/** Proposes the views of an image. */
export function proposeViews(raster: Raster, options: ProposalOptions = {}): ProposedViews {
  const maps = createEdgeMaps(raster);
  const disc = options.trimBorders === false ? undefined : findDisc(raster);
  const first =
    disc === undefined
      ? proposeFirst(raster, maps, options)
      : [wholeView(raster), { kind: "trimmed" as const, corners: quadOfBox(disc) }];
  const further = () => proposeAll(raster, maps, first).slice(first.length);
  if (disc !== undefined) return { first, cover: { ...disc, isRound: true }, further };
  const inner = innerOf(first, raster);
  const found = findCover(maps, boxOnMaps(inner, maps));
  const cover = found && { ...boxOnRaster(found, maps, raster), isRound: false };
  if (cover !== undefined) first.push({ kind: "uncovered", corners: quadOfBox(inner) });
  return { first, cover, further };
}

function proposeAll(raster: Raster, maps: EdgeMaps, first: readonly ViewProposal[]): ViewProposal[] {
  const votes = { upright: voteForLines(maps, true), level: voteForLines(maps, false) };
  const inside = findRectangles(maps, MOST_INSIDE).map(({ box }) =>
    quadOfBox(boxOnRaster(box, maps, raster)),
  );
  const screens = findScreens(maps, votes, MOST_SCREENS).map(({ quad }) => quadOnRaster(quad, maps));
  const trimmed = trimmedOf(first, raster);
  const inner = innerOf(first, raster);
  const upright = findUprightAngles(votes).map((degrees) => uprightBox(inner, degrees));
  const quarters =
    trimmed.width > trimmed.height * WIDE_FOR_QUARTERS
      ? []
      : [true, false].map((isClockwise) => rotateQuad(quadOfBox(trimmed), isClockwise));
  const frame = findRotatedFrame(raster);
  const tilted = frame === undefined && isTilted(maps) ? rotatedBoxes(inner) : [];
  const of = (kind: ViewKind, quads: readonly Quad[]) => quads.map((corners) => ({ kind, corners }));
  return distinct(
    [
      ...first,
      ...of("inside", inside),
      ...of("screen", screens),
      ...of("upright", upright),
      ...of("rotated", [...(frame === undefined ? [] : [frame]), ...quarters, halfRotationOf(trimmed)]),
      ...of("tilted", tilted),
      ...of("inverted", [quadOfBox(inner)]),
      ...of("extended", extensionsOf(inner)),
    ],
    raster,
  );
}

/** Returns the area between borders, or the whole image where there are none. */
function trimmedOf(first: readonly ViewProposal[], raster: Raster): Box {
  const last = first.findLast(({ kind }) => kind !== "uncovered");
  return (last && boxOfQuad(last.corners)) ?? wholeOf(raster);
}

/** Returns the same, but the whole image instead of a small area. */
function innerOf(first: readonly ViewProposal[], raster: Raster): Box {
  const [whole, trimmed] = [wholeOf(raster), trimmedOf(first, raster)];
  return trimmed.width * trimmed.height < whole.width * whole.height * LEAST_INNER ? whole : trimmed;
}

/** The view of the whole image. */
export function wholeView(raster: Raster): ViewProposal {
  return { kind: "whole", corners: quadOfBox(wholeOf(raster)) };
}

function proposeFirst(
  raster: Raster,
  maps: EdgeMaps,
  { trimBorders = true }: ProposalOptions,
): ViewProposal[] {
  const whole = wholeView(raster);
  if (!trimBorders) return [whole];
  const trimmed = findTrimmedBox(raster);
  const sharp = findBetweenBlurredBorders(maps);
  const between = sharp === undefined ? undefined : boxOnRaster(sharp, maps, raster);
  const boxes = [trimmed, between && isTrimmedTo(trimmed, between, raster) ? undefined : between].filter(
    (box) => box !== undefined,
  );
  const views = boxes.map((box): ViewProposal => ({ kind: "trimmed", corners: quadOfBox(box) }));
  return distinct([whole, ...views], raster);
}

/** True when the borders around `between` have one colour and are trimmed already. */
function isTrimmedTo(trimmed: Box | undefined, between: Box, raster: Raster): boolean {
  if (trimmed === undefined) return false;
  const [from, size] =
    between.height < raster.height ? (["top", "height"] as const) : (["left", "width"] as const);
  const end = (box: Box) => box[from] + box[size];
  // Compression blurs the end of a border.
  const reach = raster[size] * 0.05;
  return Math.abs(trimmed[from] - between[from]) <= reach && Math.abs(end(trimmed) - end(between)) <= reach;
}

function wholeOf({ width, height }: Raster): Box {
  return { left: 0, top: 0, width, height };
}

/**
 * Converts a box of the maps to whole pixels of the raster. A line of the maps is in the middle of its
 * pixels; pixels of both sides are excluded.
 */
function boxOnRaster(box: Box, { width, height, scale }: EdgeMaps, raster: Raster): Box {
  const start = (at: number, step: number) => (at === 0 ? 0 : Math.round((at + 0.75) * step));
  const end = (at: number, step: number, limit: number, size: number) =>
    at >= size ? limit : Math.round((at + 0.25) * step);
  const [left, top] = [start(box.left, scale.x), start(box.top, scale.y)];
  return {
    left,
    top,
    width: Math.max(1, end(box.left + box.width, scale.x, raster.width, width) - left),
    height: Math.max(1, end(box.top + box.height, scale.y, raster.height, height) - top),
  };
}

/** Converts a box of the raster to whole pixels of the maps inside it. */
function boxOnMaps({ left, top, width, height }: Box, { scale }: EdgeMaps): Box {
  const [x, y] = [Math.ceil(left / scale.x), Math.ceil(top / scale.y)];
  return {
    left: x,
    top: y,
    width: Math.max(0, Math.floor((left + width) / scale.x) - x),
    height: Math.max(0, Math.floor((top + height) / scale.y) - y),
  };
}

function quadOnRaster(quad: Quad, { scale }: EdgeMaps): Quad {
  const [a, b, c, d] = quad.map(([x, y]) => [(x + 0.5) * scale.x, (y + 0.5) * scale.y] as const);
  return a && b && c && d ? [a, b, c, d] : quad;
}

/**
 * Proposes extensions of an image that may be cut out of a wide frame: at either side and in the middle of
 * such a frame. The border is repeated in the missing part. The descriptor of half a frame is more similar
 * when the half keeps its position than when it fills the frame.
 */
function extensionsOf({ left, top, width, height }: Box): Quad[] {
  const aspect = width / height;
  const [wide, tall] =
    aspect < NARROW ? [height * FRAME_ASPECT, height] : aspect > WIDE ? [width, width / FRAME_ASPECT] : [];
  if (wide === undefined || tall === undefined) return [];
  return [0, 0.5, 1].map((offset) =>
    quadOfBox({
      left: left - (wide - width) * offset,
      top: top - (tall - height) * offset,
      width: wide,
      height: tall,
    }),
  );
}

/** Removes views that repeat an earlier one. */
function distinct(proposals: readonly ViewProposal[], raster: Raster): ViewProposal[] {
  const reach = Math.max(raster.width, raster.height) * 0.02;
  const selected: ViewProposal[] = [];
  for (const one of proposals) {
    const box = boxOfQuad(one.corners);
    const isKnown = selected.some((other) => {
      if (one.kind === "inverted" || one.kind === "uncovered") return false;
      const otherBox = boxOfQuad(other.corners);
      return box !== undefined && otherBox !== undefined
        ? overlapOf(box, otherBox) > SAME_OVERLAP
        : distanceOf(one.corners, other.corners) < reach;
    });
    if (!isKnown) selected.push(one);
  }
  return selected;
}
