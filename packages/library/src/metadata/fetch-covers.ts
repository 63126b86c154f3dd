import type { Database } from "@koma/database";
import { decoderLimits, inspectImage, sharp } from "@koma/image";

/** Fetches the bytes of an image from an address that others chose; rejects private addresses. */
export type FetchCover = (address: string, signal: AbortSignal) => Promise<Uint8Array>;

/** The number of covers that were stored, and of those that could not be fetched. */
export type CoverResult = { stored: number; failed: number };

/**
 * Fetches the covers that are not stored yet, scaled to WebP files. A cover that cannot be fetched or decoded
 * is counted and logged; the next call tries it again.
 */
export async function fetchCovers(
  database: Database,
  fetchCover: FetchCover,
  o: { signal?: AbortSignal | undefined; onLog: (message: string) => void },
): Promise<CoverResult> {
  const result: CoverResult = { stored: 0, failed: 0 };
  const signal = o.signal ?? new AbortController().signal;
  const missing = (await database.covers.listMissing()).values();
  const work = async (): Promise<void> => {
    for (const cover of missing) {
      signal.throwIfAborted();
      const bytes = await fetchCover(cover.sourceUrl, signal).then(scaleCover).catch(reportTo(cover.animeId));
      if (bytes !== undefined && (await database.covers.write(cover, bytes))) result.stored += 1;
    }
  };
  const reportTo = (animeId: string) => (error: unknown) => {
    signal.throwIfAborted();
    result.failed += 1;
    const reason = error instanceof Error ? error.message : error;
    o.onLog(`The cover of the anime ${animeId} cannot be used: ${reason}`);
  };
  await Promise.all(Array.from({ length: fetchesAtOnce }, work));
  return result;
}

/** Few, because covers come from one server. */
const fetchesAtOnce = 3;
/** Twice the width at which the page shows a cover. */
const coverSize = { width: 240, height: 360 };

/** Scales a JPEG, PNG or WebP file to a WebP file of at most 240 x 360 pixels. */
async function scaleCover(bytes: Uint8Array): Promise<Buffer<ArrayBuffer>> {
  // Other decoders, for example that of SVG, must not read files from the internet.
  if (!isRaster(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))) {
    throw new Error("it is not a JPEG, PNG or WebP file");
  }
  const { decoderBytes, scans } = await inspectImage(bytes);
  if (decoderBytes > decoderLimits.bytes || scans > decoderLimits.scans) throw new Error("it is too large");
  const scaled = await sharp(bytes, { limitInputPixels: 50_000_000, failOn: "error" })
    .autoOrient()
    .resize({ ...coverSize, fit: "inside", withoutEnlargement: true })
    .webp({ quality: 78 })
    .toBuffer();
  return Buffer.from(scaled);
}

function isRaster(bytes: Buffer): boolean {
  const hex = bytes.subarray(0, 12).toString("hex");
  return hex.startsWith("ffd8ff") || hex.startsWith("89504e470d0a1a0a") || /^52494646.{8}57454250$/.test(hex);
}
