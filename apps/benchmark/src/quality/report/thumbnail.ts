import { sharp } from "@koma/image";

/** Creates a small JPEG of an image, at most 240 by 240. */
export async function createThumbnail(image: Uint8Array): Promise<Buffer> {
  return sharp(image)
    .flatten({ background: "#ffffff" })
    .resize(240, 240, { fit: "inside", withoutEnlargement: true })
    .jpeg({ quality: 72 })
    .toBuffer();
}
