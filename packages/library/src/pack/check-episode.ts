import { decodeDescriptors, type EpisodeDescriptors, type Model } from "@koma/engine";
import { decoderLimits, inspectImage } from "@koma/image";
import { CorruptStillsError, decodeStillSet } from "../stills/still-set.ts";
import type { PackEpisode } from "./episodes.ts";
import { PackError } from "./pack-error.ts";

const mostSeconds = 1_000_000;
const mostStills = 50_000;
/** Stored stills have 320 pixels; tall ones more. */
const mostStillPixels = 1280;

/**
 * Checks what an index, a search and a page rely on, which the checksums of an episode do not prove: the author of a
 * pack is not trusted. Throws PackError.
 */
export async function checkEpisode(model: Model, { descriptors, stills }: PackEpisode): Promise<void> {
  if (descriptors !== undefined) {
    const { frameTable, chunks } = descriptors;
    if (!isUsable(model, decodeDescriptors(model.id, frameTable, chunks)))
      throw new PackError("An episode of the pack has impossible descriptors.");
  }
  if (stills === undefined) return;
  const decoded = await decodeStillSet(stills).catch((cause: unknown) => {
    if (!(cause instanceof CorruptStillsError)) throw cause;
    throw new PackError(`An episode of the pack is damaged. ${cause.message}`, { cause });
  });
  if (decoded.length > mostStills) throw new PackError("An episode of the pack has too many stills.");
  for (const { jpeg } of decoded) {
    if (!(await isStill(jpeg))) throw new PackError("An episode of the pack has a still that is no image.");
  }
}

function isUsable({ dimensions }: Model, descriptors: EpisodeDescriptors): boolean {
  const { aspect, count, shots, regions, strips } = descriptors;
  const parts = regions === undefined ? [descriptors] : [descriptors, regions];
  return (
    aspect >= 0.1 &&
    aspect <= 10 &&
    parts.every(
      (part) =>
        part.vectors.length === part.count * dimensions &&
        part.scales.every((scale) => Number.isFinite(scale) && scale >= 0) &&
        (part.atSeconds.at(-1) ?? 0) <= mostSeconds &&
        (part.shots.at(-1)?.toSeconds ?? 0) <= mostSeconds,
    ) &&
    (regions === undefined || (regions.aspect === aspect && regions.shots.length === shots.length)) &&
    (count > 0 || regions === undefined) &&
    (strips === undefined || isAscending(strips.shotOf, shots.length))
  );
}

function isAscending(shotOf: readonly number[], shots: number): boolean {
  return shotOf.every((shot, at) => shot < shots && shot >= (shotOf[at - 1] ?? 0));
}

/** True for a small JPEG whose header the decoder accepts. */
async function isStill(jpeg: Uint8Array): Promise<boolean> {
  if (jpeg[0] !== 0xff || jpeg[1] !== 0xd8 || jpeg[2] !== 0xff) return false;
  const header = await inspectImage(jpeg).catch(() => undefined);
  return (
    header !== undefined &&
    Math.max(header.width, header.height) <= mostStillPixels &&
    header.scans <= decoderLimits.scans
  );
}
