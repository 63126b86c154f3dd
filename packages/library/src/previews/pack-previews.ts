import { writeFile } from "node:fs/promises";
import type { Episode } from "@koma/database";
import { sharp } from "@koma/image";
import type { PackPart } from "../pack/episodes.ts";
import { describePackError, findInPack, listContentHashes } from "../pack/find-in-pack.ts";
import type { PreviewRequest } from "./preview-requests.ts";

export type PackPreviewParts = {
  /** The pack of the sample library; undefined without one. */
  samplePack: string | undefined;
  modelId: string;
  stillWidths: Record<PreviewRequest["size"], number>;
  onLog: (message: string) => void;
};

/**
 * Returns a function that writes a preview of an episode of the pack from it, which needs neither the video
 * nor ffmpeg: the stored frame that is nearest to the time, or the stored clip that shows most of the range,
 * at the size of the video. It returns false if the pack has none.
 */
export function createPackPreviews({ samplePack, modelId, stillWidths, onLog }: PackPreviewParts) {
  let listed: Promise<Set<string>> | undefined;
  return async ({ contentHash }: Episode, request: PreviewRequest, outputFile: string): Promise<boolean> => {
    if (samplePack === undefined || contentHash === null) return false;
    const pack = { file: samplePack, modelId };
    const onError = (error: unknown) => onLog(describePackError(samplePack, error));
    listed ??= listContentHashes(pack).catch((error: unknown) => {
      onError(error);
      return new Set<string>();
    });
    if (!(await listed).has(contentHash)) return false;
    const found = await findInPack(pack, contentHash).catch(onError);
    const range =
      request.kind === "still"
        ? { fromSeconds: request.atSeconds, toSeconds: request.atSeconds }
        : { fromSeconds: request.fromSeconds, toSeconds: request.toSeconds };
    const part = findPart((request.kind === "still" ? found?.frames : found?.clips) ?? [], range);
    if (part === undefined) return false;
    const bytes =
      request.kind === "still"
        ? await sharp(part.bytes)
            .resize({ width: stillWidths[request.size], withoutEnlargement: true })
            .jpeg({ quality: 85 })
            .toBuffer()
        : part.bytes;
    await writeFile(outputFile, bytes);
    return true;
  };
}

/** Returns the part that overlaps a range most, otherwise the nearest one. */
export function findPart(
  parts: readonly PackPart[],
  { fromSeconds, toSeconds }: { fromSeconds: number; toSeconds: number },
): PackPart | undefined {
  // Negative: the distance of a part outside of the range.
  const overlap = (part: PackPart) =>
    Math.min(part.toSeconds, toSeconds) - Math.max(part.fromSeconds, fromSeconds);
  return parts.toSorted((a, b) => overlap(b) - overlap(a))[0];
}
