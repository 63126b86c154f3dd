/** An image or a video in the form that is sent. */
export type PreparedImage = { blob: Blob; isConverted: boolean; isVideo: boolean };

/** The input cannot be searched; `reason` is the cause. "noPicture": it has neither a file nor an address. */
export class ImageRefused extends Error {
  override readonly name = "ImageRefused";
  readonly reason: "noPicture" | "notPicture" | "tooLarge" | "video" | "videoTooLarge" | "addressTooLarge";

  constructor(reason: ImageRefused["reason"]) {
    super(reason);
    this.reason = reason;
  }
}

/** The longest side in pixels. A larger image takes longer to send and does not improve a search. */
const longestSide = 1600;
/** A JPEG or PNG up to this size is sent unchanged: reducing it takes longer than sending it. */
const plainBytes = 600_000;
const quality = 0.9;
/** The API rejects longer videos. */
export const longestVideoSeconds = 60;
/** A browser that does not load videos by itself reports no duration. */
const durationTimeoutMs = 3000;

/**
 * Converts a file to a format that the API accepts: small JPEG and PNG files stay unchanged, larger ones are
 * reduced, and other formats that the browser decodes (WebP, AVIF, in some browsers HEIC) become JPEG.
 * Animations and videos stay unchanged, because the API chooses the frame. Throws ImageRefused.
 */
export async function prepareImage(file: Blob, limitBytes: number): Promise<PreparedImage> {
  const head = new Uint8Array(await file.slice(0, 4096).arrayBuffer());
  if (isVideoFile(head.subarray(0, 128))) return await checkVideo(file, limitBytes);
  const isTaken = isJpegOrPng(head);
  if (isTaken && file.size <= plainBytes) return unchanged(file);
  if (isAnimation(head) && file.size <= limitBytes) return unchanged(file);
  const bitmap = await createImageBitmap(file).catch(() => undefined);
  if (bitmap === undefined) return returnOriginal(file, isTaken, limitBytes);
  try {
    const smaller = await drawSmaller(bitmap);
    if (smaller === undefined || (isTaken && smaller.size >= file.size)) {
      return returnOriginal(file, isTaken, limitBytes);
    }
    return { blob: smaller, isConverted: true, isVideo: false };
  } finally {
    bitmap.close();
  }
}

function unchanged(blob: Blob): PreparedImage {
  return { blob, isConverted: false, isVideo: false };
}

/**
 * Throws ImageRefused for a video that the API rejects. A duration that the browser cannot read is left to
 * the API.
 */
async function checkVideo(blob: Blob, limitBytes: number): Promise<PreparedImage> {
  // The sound of a video of 60 s may end shortly after its frames.
  const isTooLong = blob.size <= limitBytes && (await readDuration(blob)) >= longestVideoSeconds + 1;
  if (isTooLong || blob.size > limitBytes) throw new ImageRefused("videoTooLarge");
  return { blob, isConverted: false, isVideo: true };
}

/** The duration of a video in seconds; 0 if the browser cannot read it, or the file does not state it. */
async function readDuration(blob: Blob): Promise<number> {
  const video = document.createElement("video");
  const url = URL.createObjectURL(blob);
  try {
    return await new Promise((resolve) => {
      setTimeout(resolve, durationTimeoutMs, 0);
      video.onloadedmetadata = () => resolve(Number.isFinite(video.duration) ? video.duration : 0);
      video.onerror = () => resolve(0);
      video.preload = "metadata";
      video.src = url;
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** A JPEG or PNG that the browser cannot decode is sent unchanged: the API describes the error. */
function returnOriginal(file: Blob, isTaken: boolean, limitBytes: number): PreparedImage {
  if (file.type.startsWith("video/")) throw new ImageRefused("video");
  if (!isTaken) throw new ImageRefused("notPicture");
  if (file.size > limitBytes) throw new ImageRefused("tooLarge");
  return unchanged(file);
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

/**
 * True for a GIF, an animated AVIF, a WebP whose header (VP8X) has the flag of an animation, and a PNG with the
 * chunk of an animation (acTL), which is before its pixels.
 */
function isAnimation(head: Uint8Array): boolean {
  const text = readText(head);
  if (text.startsWith("GIF8") || text.slice(4, 12) === "ftypavis") return true;
  if (text.startsWith("\x89PNG")) return text.split("IDAT")[0]?.includes("acTL") === true;
  return text.slice(8, 16) === "WEBPVP8X" && ((head[20] ?? 0) & 0x02) !== 0;
}

/**
 * True for an MP4 (also one of QuickTime) and a WebM. AVIF and HEIC have the container of MP4, but another
 * brand.
 */
function isVideoFile(head: Uint8Array): boolean {
  const text = readText(head);
  if (text.slice(4, 8) === "ftyp")
    return !/^(?:avi[fs]|hei|hev|mi[af]|msf1|jpeg|crx )/.test(text.slice(8, 12));
  return text.startsWith("\x1aE\xdf\xa3") && text.includes("webm");
}

function readText(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
