import type { DescriptorSession } from "../descriptor-session.ts";
import { createThumbnail, isFlatThumbnail } from "../episode/thumbnail.ts";
import type { Model } from "../model.ts";
import { decodePicture } from "./decode-picture.ts";
import { createGreyRaster } from "./grey-raster.ts";
import type { PictureDescription, PictureView, Region } from "./picture-description.ts";
import { type Box, mirror, type Raster, stretch } from "./raster.ts";
import { findTrimmedBox } from "./trim-borders.ts";

/**
 * Describes a JPEG or PNG by all its views in one batch: whole and without flat borders, each also mirrored. Throws PictureError.
 */
export async function describePicture(
  model: Model,
  session: DescriptorSession,
  bytes: Uint8Array,
): Promise<PictureDescription> {
  const { raster, width, height } = await decodePicture(bytes);
  const whole: Box = { left: 0, top: 0, width: raster.width, height: raster.height };
  const trimmed = findTrimmedBox(raster);
  const { input, dimensions } = model;
  const crops = (trimmed === undefined ? [whole] : [whole, trimmed]).map((box) => ({
    region: box === whole ? null : regionOf(box, raster),
    pixels: stretch(raster, box, input.width, input.height),
  }));
  const views = crops.flatMap(({ region, pixels }) => [
    { region, isMirrored: false, pixels },
    { region, isMirrored: true, pixels: mirror(pixels, input.width) },
  ]);
  const vectors = await session.describe(Buffer.concat(views.map(({ pixels }) => pixels)));
  const described: PictureView[] = views.map(({ region, isMirrored }, at) => ({
    vector: vectors.slice(at * dimensions, (at + 1) * dimensions),
    region,
    isMirrored,
  }));
  const isFlat = crops.every(({ pixels }) =>
    isFlatThumbnail(createThumbnail(pixels, input.width, input.height)),
  );
  return { modelId: model.id, width, height, isFlat, views: described, grey: createGreyRaster(raster) };
}

function regionOf(box: Box, raster: Raster): Region {
  return {
    x: box.left / raster.width,
    y: box.top / raster.height,
    width: box.width / raster.width,
    height: box.height / raster.height,
  };
}
