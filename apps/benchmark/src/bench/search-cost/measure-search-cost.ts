import { readFile } from "node:fs/promises";
import { connectDatabase } from "@koma/database";
import { decodeDescriptors, loadModel, type Model } from "@koma/engine";
import { sharp } from "@koma/image";
import { buildLibrary, cpuMs, type KeyedEpisode } from "./build-library.ts";
import { editImages } from "./edit-images.ts";
import { type GroupCosts, openStagedSearch } from "./measure-stages.ts";

/** Lowest cost of a stage of one search on this machine, in milliseconds of processor time. */
type Limits = { decode: number; describe: number; frames: number };

/** The costs of searches in a library of `frames` frames. */
export type SizeCosts = {
  frames: number;
  regions: number;
  /** True without thumbnails and regions: nothing was verified. */
  isIndexAlone: boolean;
  /** Memory of vectors, codes and tables; thumbnails are on disk. */
  bytesPerFrame: { frames: number; regions: number };
  buildCpuSeconds: number;
  groups: { name: string; costs: GroupCosts; limits: Limits }[];
};

/**
 * A comparison of a frame with a view has at least 64 products of 16 bits: eight instructions of SSE of which
 * a core of 3 GHz completes two per cycle.
 */
const COMPARISON_NANOSECONDS = 1.33;

/** Measures the stages of searches in libraries of some sizes, which begin with the indexed videos. */
export async function measureSearchCost(
  imageFiles: readonly string[],
  o: { dataDir: string; frames: readonly number[]; seed: string; onSize: (costs: SizeCosts) => void },
): Promise<SizeCosts[]> {
  const model = await loadModel();
  const real = await readEpisodes(o.dataDir, model);
  const clean = await Promise.all(imageFiles.map((file) => readFile(file)));
  const groups = await editImages(clean, o.seed);
  const search = await openStagedSearch(model);
  const perView = await search.measureModel();
  const decodes = new Map<string, number>();
  for (const [name, images] of groups) decodes.set(name, await measureDecoding(images, model));
  const sizes: SizeCosts[] = [];
  for (const frames of o.frames) {
    const library = await buildLibrary(model, real, frames);
    try {
      const measured: SizeCosts["groups"] = [];
      for (const [name, images] of groups) {
        const costs = await search.measure(library, images, { isClean: name === "clean" });
        const limits = {
          decode: decodes.get(name) ?? 0,
          describe: perView * costs.views,
          frames: (costs.comparisons * COMPARISON_NANOSECONDS) / 1e6,
        };
        measured.push({ name, costs, limits });
      }
      const { regions, isIndexAlone, bytesPerFrame, buildCpuSeconds } = library;
      const facts = { regions, isIndexAlone, bytesPerFrame, buildCpuSeconds };
      const size = { frames: library.frames, ...facts, groups: measured };
      sizes.push(size);
      o.onSize(size);
    } finally {
      library.close();
    }
  }
  return sizes;
}

async function readEpisodes(dataDir: string, model: Model): Promise<KeyedEpisode[]> {
  const database = await connectDatabase({ dataDir, onLog: (line) => process.stderr.write(`${line}\n`) });
  try {
    const episodes: KeyedEpisode[] = [];
    for (const { id } of await database.episodes.list()) {
      const stored = await database.episodes.readDescriptors(id, model.id);
      if (stored === undefined) continue;
      const descriptors = decodeDescriptors(model.id, stored.frameTable, stored.chunks);
      episodes.push({ key: id, descriptors });
    }
    return episodes;
  } finally {
    await database.close();
  }
}

/** Returns the cost of decoding an image to the size of the model, with shrink-on-load. */
async function measureDecoding(images: readonly Buffer[], { input }: Model): Promise<number> {
  const startedMs = cpuMs();
  for (const image of images) {
    await sharp(image).resize(input.width, input.height, { fit: "fill" }).raw().toBuffer();
  }
  return (cpuMs() - startedMs) / Math.max(1, images.length);
}
