import type { Area } from "../messages.ts";

/** A larger image takes longer to send and does not improve a search. */
const longestSide = 1600;
const jpegQuality = 0.9;
/**
 * Frames of protected videos are black; a real frame varies by more than this in its red, green or blue
 * values.
 */
const blankRange = 6;

/** Cuts an area out of a screenshot of its viewport and returns it as a JPEG data address. */
export async function cropScreenshot(screenshotUrl: string, area: Area): Promise<string> {
  const bitmap = await openBitmap(screenshotUrl);
  // The screenshot has device pixels, the area CSS pixels.
  const scale = bitmap.width / area.viewport.width;
  const left = Math.max(0, Math.round(area.rectangle.x * scale));
  const top = Math.max(0, Math.round(area.rectangle.y * scale));
  const width = Math.min(bitmap.width - left, Math.round(area.rectangle.width * scale));
  const height = Math.min(bitmap.height - top, Math.round(area.rectangle.height * scale));
  return await encode(bitmap, { left, top, width: Math.max(1, width), height: Math.max(1, height) });
}

/** Converts an image of any format that the browser reads to a JPEG data address of at most 1600 pixels. */
export async function shrinkImage(dataUrl: string): Promise<string> {
  const bitmap = await openBitmap(dataUrl);
  return await encode(bitmap, { left: 0, top: 0, width: bitmap.width, height: bitmap.height });
}

/** True where an image has one colour only. */
export async function isBlank(dataUrl: string): Promise<boolean> {
  const bitmap = await openBitmap(dataUrl);
  const size = 32;
  const context = createContext(size, size);
  context.drawImage(bitmap, 0, 0, size, size);
  bitmap.close();
  const { data } = context.getImageData(0, 0, size, size);
  const channels = [0, 1, 2].map((channel) => data.filter((_, at) => at % 4 === channel));
  return channels.every((values) => Math.max(...values) - Math.min(...values) <= blankRange);
}

/** The content of a data address. */
export async function readDataUrl(dataUrl: string): Promise<Blob> {
  return await (await fetch(dataUrl)).blob();
}

/** A data address with the content of a blob. */
export async function toDataUrl(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = "";
  // `fromCharCode` takes a limited number of arguments.
  for (let at = 0; at < bytes.length; at += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  }
  return `data:${blob.type};base64,${btoa(text)}`;
}

async function openBitmap(dataUrl: string): Promise<ImageBitmap> {
  return await createImageBitmap(await readDataUrl(dataUrl));
}

async function encode(
  bitmap: ImageBitmap,
  part: { left: number; top: number; width: number; height: number },
): Promise<string> {
  const scale = Math.min(1, longestSide / Math.max(part.width, part.height));
  const width = Math.max(1, Math.round(part.width * scale));
  const height = Math.max(1, Math.round(part.height * scale));
  const context = createContext(width, height);
  // JPEG has no transparency.
  context.fillStyle = "#fff";
  context.fillRect(0, 0, width, height);
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, part.left, part.top, part.width, part.height, 0, 0, width, height);
  bitmap.close();
  return await toDataUrl(await context.canvas.convertToBlob({ type: "image/jpeg", quality: jpegQuality }));
}

function createContext(width: number, height: number): OffscreenCanvasRenderingContext2D {
  const context = new OffscreenCanvas(width, height).getContext("2d");
  if (context === null) throw new Error("The browser has no 2D canvas.");
  return context;
}
