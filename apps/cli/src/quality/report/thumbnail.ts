import sharp from "sharp";

/** A small JPEG of a picture, at most 240 by 240. */
export async function createThumbnail(picture: Uint8Array): Promise<Buffer> {
  return sharp(picture)
    .flatten({ background: "#ffffff" })
    .resize(240, 240, { fit: "inside", withoutEnlargement: true })
    .jpeg({ quality: 72 })
    .toBuffer();
}
