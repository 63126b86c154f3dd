import { imageLimits } from "@koma/engine";
import { decodeBmp, decoderLimits, inspectImage, isBmp, openFrames, type Sharp, sharp } from "@koma/image";

/**
 * The image that other services get: a JPEG of at most 640 pixels a side, without metadata. Of an animation it has
 * the frame at `atSeconds`. The image has been searched, so it is within the limits of the decoder. Throws the
 * decoder's error.
 */
export async function prepareUpstreamImage(
  bytes: Uint8Array,
  atSeconds: number | undefined,
): Promise<Buffer> {
  if (isBmp(bytes)) {
    const { data, width, height } = await decodeBmp(bytes, decoderLimits.bytes);
    return await toJpeg(sharp(data, { raw: { width, height, channels: 3 } }));
  }
  const frame = atSeconds === undefined ? 0 : await findFrame(bytes, atSeconds);
  for await (const image of openFrames(bytes, [frame], decoderOptions)) return await toJpeg(image);
  throw new Error("The image has no frame.");
}

const decoderOptions = { limitInputPixels: imageLimits.pixels, failOn: "none" } as const;

/** The number of the frame of an animation that is shown at a time. */
async function findFrame(bytes: Uint8Array, atSeconds: number): Promise<number> {
  const { frameDelaysMs } = await inspectImage(bytes);
  let startMs = 0;
  const next = frameDelaysMs.findIndex((delayMs) => {
    startMs += delayMs;
    return Math.round(startMs) > Math.round(atSeconds * 1000);
  });
  return next < 0 ? frameDelaysMs.length - 1 : next;
}

/** More pixels give neither service better results. */
const longestSide = 640;
const decodingSeconds = 5;

async function toJpeg(image: Sharp): Promise<Buffer> {
  return await image
    .timeout({ seconds: decodingSeconds })
    .autoOrient()
    .resize({ width: longestSide, height: longestSide, fit: "inside", withoutEnlargement: true })
    .flatten({ background: "#000000" })
    .toColourspace("srgb")
    .jpeg({ quality: 90 })
    .toBuffer();
}
