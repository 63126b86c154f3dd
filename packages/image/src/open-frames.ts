import type { Sharp, SharpOptions } from "sharp";
import { composeApng, readApng } from "./apng.ts";
import { readAvifSequence } from "./avif-sequence.ts";
import { sharp } from "./decoder.ts";

/**
 * Yields the decoder of each of these frames of an image file, in ascending order; frame 0 is that of an image
 * without an animation. A decoder is valid until the next one. Throws the decoder's error, and an Error for a
 * corrupt animation.
 */
export async function* openFrames(
  bytes: Uint8Array,
  frames: readonly number[],
  options: SharpOptions,
): AsyncGenerator<Sharp> {
  const animation = readAnimation(bytes);
  if (animation?.kind === "png") {
    const { width, height } = animation.apng;
    for await (const pixels of composeApng(animation.apng, frames))
      yield sharp(pixels, { ...options, raw: { width, height, channels: 4 } });
  } else if (animation?.kind === "avif") {
    for (const frame of frames) yield sharp(animation.sequence.createStill(frame), options);
  } else {
    const file = withImageBrand(bytes);
    for (const frame of frames) yield sharp(file, { ...options, page: frame });
  }
}

/** The animations that libvips does not read; undefined for other files. Throws an Error for a corrupt one. */
export function readAnimation(bytes: Uint8Array) {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.toString("latin1", 0, 4) === "\x89PNG") {
    const apng = readApng(file);
    return apng && { kind: "png" as const, apng };
  }
  if (!isSequenceBrand(file)) return undefined;
  const sequence = readAvifSequence(file);
  return sequence && { kind: "avif" as const, sequence };
}

/** An animated AVIF without frames in a track has an image, which libvips reads by another brand. */
export function withImageBrand(bytes: Uint8Array): Uint8Array {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!isSequenceBrand(file)) return bytes;
  const image = Buffer.from(file);
  image.write("avif", 8, "latin1");
  return image;
}

function isSequenceBrand(file: Buffer): boolean {
  return file.toString("latin1", 4, 12) === "ftypavis";
}
