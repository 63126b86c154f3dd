import { type Cancellation, throwIfCancelled } from "../cancellation.ts";
import type { DescriptorSession } from "../descriptor-session.ts";
import { createThumbnail, isFlatThumbnail } from "../episode/thumbnail.ts";
import type { Model } from "../model.ts";
import type { DecodedImage } from "./decode-image.ts";
import { boxInView, fillCover } from "./fill-cover.ts";
import { createGreyRaster } from "./grey-raster.ts";
import type { GreyRaster, ImageDescription, ImageView } from "./image-description.ts";
import { proposeViews, type ViewKind, type ViewProposal } from "./propose-views.ts";
import { boxOfQuad, type Quad, quadOfBox, regionOf } from "./quad.ts";
import { type Box, invert, mirror, type Raster } from "./raster.ts";
import { createViewSampler, isInside } from "./sample-view.ts";

export type DescribeOptions = {
  /**
   * Describes parts of the image as well (players, posts, chats, collages, photographed screens, turned
   * images): about 50 views instead of two to eight. It is for images whose first views find no certain match.
   */
  isThorough: boolean;
  /** False keeps borders of one colour or of a blurred fill. */
  trimBorders: boolean;
  cancelled?: Cancellation | undefined;
};

/** Describes a decoded image in one pass or in two; each view is described once. */
export type ImageDescriber = {
  /** Describes the first views; the whole image is first. The mirror image follows each view. */
  describeFirst(): Promise<ImageDescription>;
  /** Describes the views that `describeFirst` omits. */
  describeFurther(): Promise<ImageDescription>;
};

/** Proposes the views of a decoded image. Its methods throw when the search is cancelled. */
export function createImageDescriber(
  model: Model,
  session: DescriptorSession,
  image: DecodedImage,
  { trimBorders, cancelled }: Pick<DescribeOptions, "trimBorders" | "cancelled">,
): ImageDescriber {
  throwIfCancelled(cancelled);
  const proposals = proposeViews(image.raster, { trimBorders });
  const prepared = {
    image,
    sample: createViewSampler(image.raster, model.input.width, model.input.height),
    grey: createGreyRaster(image.raster),
    cover: proposals.cover,
  };
  const describe = (some: readonly ViewProposal[]) => {
    throwIfCancelled(cancelled);
    return describeViews(model, session, prepared, some, cancelled);
  };
  return {
    describeFirst: async () => describe(proposals.first),
    describeFurther: async () => describe(proposals.further()),
  };
}

/**
 * Describes a decoded image by several views in one batch. The whole image is first. The mirror image follows
 * each view. Throws when the search is cancelled.
 */
export async function describeImage(
  model: Model,
  session: DescriptorSession,
  image: DecodedImage,
  { isThorough, ...options }: DescribeOptions,
): Promise<ImageDescription> {
  const describer = createImageDescriber(model, session, image, options);
  const first = await describer.describeFirst();
  if (!isThorough) return first;
  const further = await describer.describeFurther();
  return {
    ...first,
    isFlat: first.isFlat && further.isFlat,
    views: [...first.views, ...further.views],
  };
}

/** Views that may show only a part of a scene. */
const PART_KINDS: ReadonlySet<ViewKind> = new Set([
  "whole",
  "trimmed",
  "inside",
  "turned",
  "tilted",
  "inverted",
  "uncovered",
]);
/** Views that are not described mirrored: mirrored images of these kinds are rare. */
const UNMIRRORED_KINDS: ReadonlySet<ViewKind> = new Set(["tilted", "inverted", "crop", "extended"]);

type PreparedImage = {
  image: DecodedImage;
  sample: ReturnType<typeof createViewSampler>;
  grey: GreyRaster;
  cover: Box | undefined;
};

async function describeViews(
  model: Model,
  session: DescriptorSession,
  { image: { raster, width, height }, sample, grey, cover }: PreparedImage,
  proposals: readonly ViewProposal[],
  cancelled: Cancellation | undefined,
): Promise<ImageDescription> {
  const { input, dimensions } = model;
  const sampledViews = proposals
    .map((proposal) => {
      throwIfCancelled(cancelled);
      const shown = sample(proposal.corners);
      if (proposal.kind === "uncovered" && cover !== undefined)
        fillCover(shown, input, boxInView(cover, proposal.corners, input));
      const pixels = proposal.kind === "inverted" ? invert(shown) : shown;
      const isFlat = isFlatThumbnail(createThumbnail(pixels, input.width, input.height));
      return { proposal, pixels, isFlat };
    })
    // A blank part of the image is similar to every blank frame.
    .filter(({ isFlat, proposal }) => proposal.kind === "whole" || !isFlat);
  const views = sampledViews.flatMap(({ proposal, pixels }) => {
    const { kind } = proposal;
    const view = {
      ...locate(proposal, raster),
      isPart: PART_KINDS.has(kind),
      ...(kind === "inverted" ? { isInverted: true } : {}),
    };
    const upright = { ...view, isMirrored: false, pixels };
    if (UNMIRRORED_KINDS.has(kind)) return [upright];
    return [upright, { ...view, isMirrored: true, pixels: mirror(pixels, input.width) }];
  });
  throwIfCancelled(cancelled);
  const vectors = await session.describe(Buffer.concat(views.map(({ pixels }) => pixels)));
  const described = views.map(
    ({ pixels: _described, ...view }, at): ImageView => ({
      ...view,
      vector: vectors.slice(at * dimensions, (at + 1) * dimensions),
    }),
  );
  return {
    modelId: model.id,
    width,
    height,
    isFlat: sampledViews.every(({ isFlat }) => isFlat),
    views: described,
    ...(cover && { cover: regionOf(quadOfBox(cover), raster) }),
    grey,
  };
}

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
