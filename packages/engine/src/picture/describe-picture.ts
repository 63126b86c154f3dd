import type { DescriptorSession } from "../descriptor-session.ts";
import { createThumbnail, isFlatThumbnail } from "../episode/thumbnail.ts";
import type { Model } from "../model.ts";
import { decodePicture } from "./decode-picture.ts";
import { createGreyRaster } from "./grey-raster.ts";
import type { PictureDescription, PictureView } from "./picture-description.ts";
import { proposeAllViews, proposeFirstViews, type ViewProposal } from "./propose-views.ts";
import { boxOfQuad, type Quad, regionOf } from "./quad.ts";
import { mirror, type Raster } from "./raster.ts";
import { createViewSampler, isInside } from "./sample-view.ts";

export type DescribeOptions = {
  /**
   * Looks for the scene inside the picture as well (players, posts, chats, collages, photographed screens, turned pictures): some 50 views
   * in place of two to six. For pictures whose first views found nothing certain.
   */
  isThorough: boolean;
};

/**
 * Describes a JPEG or PNG by several views in one batch, the whole picture first, each view followed by its mirror image. Throws PictureError.
 */
export async function describePicture(
  model: Model,
  session: DescriptorSession,
  bytes: Uint8Array,
  { isThorough }: DescribeOptions,
): Promise<PictureDescription> {
  const { raster, width, height } = await decodePicture(bytes);
  const { input, dimensions } = model;
  const sample = createViewSampler(raster, input.width, input.height);
  const proposals = isThorough ? proposeAllViews(raster) : proposeFirstViews(raster);
  const looks = proposals
    .map((proposal) => {
      const pixels = sample(proposal.corners);
      const isFlat = isFlatThumbnail(createThumbnail(pixels, input.width, input.height));
      return { proposal, pixels, isFlat };
    })
    // A blank part of the picture looks like every blank frame.
    .filter(({ isFlat, proposal }) => proposal.kind === "whole" || !isFlat);
  const views = looks.flatMap(({ proposal, pixels }) => [
    { ...placeOf(proposal, raster), isMirrored: false, pixels },
    { ...placeOf(proposal, raster), isMirrored: true, pixels: mirror(pixels, input.width) },
  ]);
  const vectors = await session.describe(Buffer.concat(views.map(({ pixels }) => pixels)));
  const described = views.map(
    ({ pixels: _described, ...view }, at): PictureView => ({
      ...view,
      vector: vectors.slice(at * dimensions, (at + 1) * dimensions),
    }),
  );
  return {
    modelId: model.id,
    width,
    height,
    isFlat: looks.every(({ isFlat }) => isFlat),
    views: described,
    grey: createGreyRaster(raster),
  };
}

/** Where a view lies in the picture; its corners where they are not those of an upright box inside it. */
function placeOf({ kind, corners }: ViewProposal, raster: Raster): Pick<PictureView, "corners" | "region"> {
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
