import { type Cancellation, throwIfCancelled } from "../cancellation.ts";
import type { DescriptorSession } from "../model/descriptor-session.ts";
import type { Model } from "../model/model.ts";
import { createGreyRaster } from "../pixels/grey-raster.ts";
import { invert, type Raster } from "../pixels/raster.ts";
import { createThumbnail, isFlatThumbnail } from "../pixels/thumbnail.ts";
import type { DecodedImage } from "./decode-image.ts";
import { boxInView, fillAround, fillCover } from "./fill-cover.ts";
import type { ImageDescription, ImageView } from "./image-description.ts";
import {
  type ProposedViews,
  proposeViews,
  type ViewKind,
  type ViewProposal,
  wholeView,
} from "./propose-views.ts";
import { boxOfQuad, type Quad, quadOfBox, regionOf } from "./quad.ts";
import { createViewSampler, isInside } from "./sample-view.ts";

export type DescribeOptions = {
  /** False keeps borders of one colour or of a blurred fill. */
  trimBorders: boolean;
  cancelled?: Cancellation | undefined;
};

/** Describes a decoded image in passes; each view is described once. */
export type ImageDescriber = {
  /** Describes the whole image alone, without a search for borders and covers. */
  describeWhole(): Promise<ImageDescription>;
  /** Describes the first views; the whole image is first. The mirror image follows each view. */
  describeFirst(): Promise<ImageDescription>;
  /**
   * Describes the views that `describeFirst` omits, the most likely ones first; undefined without more. They are
   * parts of the image (players, posts, chats, collages, photographed screens, rotated images): about 26 in all
   * instead of two to eight.
   */
  describeNext(): Promise<ImageDescription | undefined>;
};

/** Opens the views of a decoded image. Its methods throw when the search is cancelled. */
export function createImageDescriber(
  model: Model,
  session: DescriptorSession,
  image: DecodedImage,
  { trimBorders, cancelled }: DescribeOptions,
): ImageDescriber {
  const sample = createViewSampler(image.raster, model.input.width, model.input.height);
  const grey = createGreyRaster(image.raster);
  let proposed: ProposedViews | undefined;
  let whole: SampledView[] | undefined;
  const passes = describePasses();
  return {
    describeWhole: () => describe(sampleWhole()),
    describeFirst() {
      const [, ...others] = propose().first;
      const views = [...sampleWhole(), ...others.flatMap(sampleView)];
      return describe(views.flatMap((view) => [view, mirrorImageOf(view)]));
    },
    async describeNext() {
      const { value, done } = await passes.next();
      return done === true ? undefined : value;
    },
  };

  function propose(): ProposedViews {
    throwIfCancelled(cancelled);
    proposed ??= proposeViews(image.raster, { trimBorders });
    return proposed;
  }

  function sampleWhole(): SampledView[] {
    whole ??= sampleView(wholeView(image.raster));
    return whole;
  }

  async function* describePasses() {
    const further = propose().further();
    const likely = further.filter(({ kind }) => LIKELY_KINDS.has(kind)).flatMap(sampleView);
    if (likely.length > 0) yield await describe(likely);
    const mirrored = Object.entries(MIRRORED).flatMap(([kind, most]) =>
      likely.filter(({ proposal }) => proposal.kind === kind).slice(0, most),
    );
    const others = further.filter(({ kind }) => !LIKELY_KINDS.has(kind)).flatMap(sampleView);
    const rest = [...mirrored.map(mirrorImageOf), ...others];
    if (rest.length > 0) yield await describe(rest);
  }

  /** Samples a view; a blank part of the image is similar to every blank frame and has none. */
  function sampleView(proposal: ViewProposal): SampledView[] {
    throwIfCancelled(cancelled);
    const { width, height } = model.input;
    const shown = sample(proposal.corners);
    const cover = proposed?.cover;
    const box = boxOfQuad(proposal.corners);
    if (cover !== undefined && box !== undefined) {
      const hidden = boxInView(cover, box, model.input);
      if (cover.isRound && proposal.kind !== "whole") fillAround(shown, model.input, hidden);
      if (proposal.kind === "uncovered") fillCover(shown, model.input, hidden);
    }
    const pixels = proposal.kind === "inverted" ? invert(shown) : shown;
    const isFlat = isFlatThumbnail(createThumbnail(pixels, width, height));
    return isFlat && proposal.kind !== "whole" ? [] : [{ proposal, pixels, isFlat, isMirrored: false }];
  }

  function mirrorImageOf({ proposal, pixels, isFlat }: SampledView): SampledView {
    return { proposal, pixels, isFlat, isMirrored: true };
  }

  async function describe(sampled: readonly SampledView[]): Promise<ImageDescription> {
    throwIfCancelled(cancelled);
    const { raster, width, height } = image;
    const missing = sampled.filter(({ vector }) => vector === undefined);
    const vectors = await session.describe(missing);
    for (const [at, view] of missing.entries())
      view.vector = vectors.slice(at * model.dimensions, (at + 1) * model.dimensions);
    const views = sampled.map(
      ({ proposal, isMirrored, vector = new Float32Array(model.dimensions) }): ImageView => ({
        ...locate(proposal, raster),
        isPart: PART_KINDS.has(proposal.kind),
        ...(proposal.kind === "inverted" ? { isInverted: true } : {}),
        isMirrored,
        vector,
      }),
    );
    const isFlat = sampled.every((view) => view.isFlat);
    const cover = proposed?.cover;
    const shares = cover && { cover: { ...regionOf(quadOfBox(cover), raster), isRound: cover.isRound } };
    return { modelId: model.id, width, height, isFlat, views, ...shares, grey };
  }
}

/** Views that may show only a part of a scene. */
const PART_KINDS: ReadonlySet<ViewKind> = new Set([
  "whole",
  "trimmed",
  "inside",
  "rotated",
  "tilted",
  "inverted",
  "uncovered",
]);
/** The kinds that find nine of ten of the scenes that the first views do not find. */
const LIKELY_KINDS: ReadonlySet<ViewKind> = new Set(["inside", "screen", "rotated", "inverted"]);
/**
 * The most views of each kind, best first, whose mirror images are described besides those of the first views. Mirror
 * images of the other kinds are rare.
 */
const MIRRORED = { inside: 7, screen: 1 };

type SampledView = {
  proposal: ViewProposal;
  pixels: Uint8Array;
  isFlat: boolean;
  isMirrored: boolean;
  /** Its descriptor, when it is described. */
  vector?: Float32Array;
};

/**
 * Returns the location of a view in the image, and its corners where it is no upright box inside the image.
 */
function locate({ kind, corners }: ViewProposal, raster: Raster): Pick<ImageView, "corners" | "region"> {
  if (kind === "whole") return { region: null };
  const region = regionOf(corners, raster);
  const box = boxOfQuad(corners);
  return box !== undefined && isInside(box, raster)
    ? { region }
    : { region, corners: inShares(corners, raster) };
}

function inShares([a, b, c, d]: Quad, { width, height }: Raster): Quad {
  const share = ([x, y]: Quad[number]) => [x / width, y / height] as const;
  return [share(a), share(b), share(c), share(d)];
}
