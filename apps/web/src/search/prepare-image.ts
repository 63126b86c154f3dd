/** An image in the form that is sent. */
export type PreparedImage = { blob: Blob; isConverted: boolean };

/** The file cannot be sent as an image; `reason` is the cause. */
export class ImageRefused extends Error {
  override readonly name = "ImageRefused";
  readonly reason: "notPicture" | "tooLarge" | "video";

  constructor(reason: "notPicture" | "tooLarge" | "video") {
    super(reason);
    this.reason = reason;
  }
}

/** The longest side in pixels. A larger image takes longer to send and does not improve a search. */
const longestSide = 1600;
/** A JPEG or PNG up to this size is sent unchanged: reducing it takes longer than sending it. */
const plainBytes = 600_000;
const quality = 0.9;

/**
 * Converts a file to a format that the API accepts: small JPEG and PNG files stay unchanged, larger ones are reduced, and
 * other formats that the browser decodes (WebP, AVIF, in some browsers HEIC) become JPEG. Animations stay unchanged,
 * because the API chooses the frame. Throws ImageRefused.
 */
export async function prepareImage(file: Blob, limitBytes: number): Promise<PreparedImage> {
  const head = new Uint8Array(await file.slice(0, 32).arrayBuffer());
  const isTaken = isJpegOrPng(head);
  if (isTaken && file.size <= plainBytes) return { blob: file, isConverted: false };
  if (isAnimation(head) && file.size <= limitBytes) return { blob: file, isConverted: false };
  const bitmap = await createImageBitmap(file).catch(() => undefined);
  if (bitmap === undefined) return returnOriginal(file, isTaken, limitBytes);
  try {
    const smaller = await drawSmaller(bitmap);
    if (smaller === undefined || (isTaken && smaller.size >= file.size)) {
      return returnOriginal(file, isTaken, limitBytes);
    }
    return { blob: smaller, isConverted: true };
  } finally {
    bitmap.close();
  }
}

/** A JPEG or PNG that the browser cannot decode is sent unchanged: the API describes the error. */
function returnOriginal(file: Blob, isTaken: boolean, limitBytes: number): PreparedImage {
  if (file.type.startsWith("video/")) throw new ImageRefused("video");
  if (!isTaken) throw new ImageRefused("notPicture");
  if (file.size > limitBytes) throw new ImageRefused("tooLarge");
  return { blob: file, isConverted: false };
}

async function drawSmaller(bitmap: ImageBitmap): Promise<Blob | undefined> {
  const scale = Math.min(1, longestSide / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const brush = canvas.getContext("2d", { alpha: false });
  if (brush === null) return undefined;
  // JPEG has no transparency; most pages show transparent images on white.
  brush.fillStyle = "#fff";
  brush.fillRect(0, 0, canvas.width, canvas.height);
  brush.imageSmoothingQuality = "high";
  brush.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return await new Promise((resolve) =>
    canvas.toBlob((blob) => resolve(blob ?? undefined), "image/jpeg", quality),
  );
}

/** Checks the content, as the API does. */
function isJpegOrPng(head: Uint8Array): boolean {
  const isJpeg = head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff;
  return isJpeg || [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a].every((byte, at) => head[at] === byte);
}

/** True for a GIF, and for a WebP whose header (VP8X) has the flag of an animation. */
function isAnimation(head: Uint8Array): boolean {
  const text = (from: number, to: number) => String.fromCharCode(...head.subarray(from, to));
  if (text(0, 4) === "GIF8") return true;
  return text(8, 16) === "WEBPVP8X" && ((head[20] ?? 0) & 0x02) !== 0;
}
