import { type Model, outcomeOf } from "@koma/engine";
import type { FrameViews } from "@koma/engine/internals/frame-index/frame-view";
import { openViews } from "@koma/engine/internals/frame-index/indexed-frames";
import { decodeImage } from "@koma/engine/internals/image/decode-image";
import { createImageDescriber } from "@koma/engine/internals/image/describe-image";
import type { ImageDescription } from "@koma/engine/internals/image/image-description";
import { openDescriptorSession } from "@koma/engine/internals/model/descriptor-session";
import { mergeScenes } from "@koma/engine/internals/search/merge-scenes";
import { searchFrames } from "@koma/engine/internals/search/search-frames";
import { type BuiltLibrary, cpuMs } from "./build-library.ts";

/** The stages of a search; `rest` is verification, grouping and everything else in the index. */
export const stages = ["decode", "describe", "frames", "regions", "recurrences", "rest"] as const;

export type StageCosts = Record<(typeof stages)[number], number>;

/** The mean cost of one search of a group of images, in milliseconds of processor time. */
export type GroupCosts = {
  images: number;
  views: number;
  secondPasses: number;
  found: number;
  /** Comparisons of frames with views. */
  comparisons: number;
  stages: StageCosts;
  totalMs: number;
};

const SCENES = 5;

/** Opens the search of the engine in this thread, so that each stage can be measured. */
export async function openStagedSearch(model: Model) {
  const session = await openDescriptorSession(model);
  const costs: StageCosts = { decode: 0, describe: 0, frames: 0, regions: 0, recurrences: 0, rest: 0 };
  const sum = () => stages.reduce((total, stage) => total + costs[stage], 0);

  /** Adds the processor time of some work to a stage, without the stages that it contains. */
  async function track<T>(stage: keyof StageCosts, work: () => T | Promise<T>): Promise<T> {
    const [startedMs, before] = [cpuMs(), sum()];
    const result = await work();
    costs[stage] += cpuMs() - startedMs - (sum() - before);
    return result;
  }

  function trackViews({ frames, regions, ...rest }: FrameViews): FrameViews {
    return {
      ...rest,
      frames: {
        ...frames,
        findHits: (...args) => track("frames", () => frames.findHits(...args)),
        findSimilar: (...args) => track("recurrences", () => frames.findSimilar(...args)),
      },
      regions: { ...regions, findHits: (...args) => track("regions", () => regions.findHits(...args)) },
    };
  }

  async function searchImage({ index, isIndexAlone }: BuiltLibrary, bytes: Uint8Array, isClean: boolean) {
    const search = async (image: ImageDescription) =>
      await track("rest", async () => {
        const views = () => trackViews(openViews(index));
        return (await searchFrames({ model, openViews: views }, image, { limit: SCENES })).scenes;
      });
    const decoded = await track("decode", () => decodeImage(bytes));
    const describer = await track("describe", () =>
      createImageDescriber(model, session, decoded, { trimBorders: true }),
    );
    const first = await track("describe", describer.describeFirst);
    let scenes = await search(first);
    let [views, passes] = [first.views.length, 1];
    // Without thumbnails no scene is confident.
    const isDone = () =>
      scenes.length === 0 || first.isFlat || (isIndexAlone ? isClean : scenes[0]?.isConfident === true);
    while (!isDone()) {
      const next = await track("describe", describer.describeNext);
      if (next === undefined) break;
      scenes = mergeScenes(scenes, await search(next), model);
      views += next.views.length;
      passes++;
    }
    return { views, passes, outcome: outcomeOf(scenes, model) };
  }

  return {
    /**
     * Searches each image once, after a warm-up, and returns the mean costs. In an index alone, clean images
     * have one pass and others have all.
     */
    async measure(
      library: BuiltLibrary,
      images: readonly Uint8Array[],
      { isClean }: { isClean: boolean },
    ): Promise<GroupCosts> {
      for (const image of images.slice(0, 3)) await searchImage(library, image, isClean);
      for (const stage of stages) costs[stage] = 0;
      library.takeComparisons();
      const [startedMs, count] = [cpuMs(), Math.max(1, images.length)];
      let [views, secondPasses, found] = [0, 0, 0];
      for (const image of images) {
        const result = await searchImage(library, image, isClean);
        views += result.views;
        secondPasses += Number(result.passes > 1);
        found += Number(result.outcome === "found");
      }
      const entries = stages.map((stage) => [stage, costs[stage] / count]);
      return {
        images: images.length,
        views: views / count,
        secondPasses: secondPasses / count,
        found: found / count,
        comparisons: library.takeComparisons() / count,
        stages: Object.fromEntries(entries) as StageCosts,
        totalMs: (cpuMs() - startedMs) / count,
      };
    },
    /** Returns the processor time of the model alone for one view, in a full batch. */
    async measureModel(): Promise<number> {
      const [batch, runs] = [8, 8];
      const pixels = new Uint8Array(model.input.width * model.input.height * 3);
      const frames = Array.from({ length: batch }, () => ({ pixels }));
      await session.describe(frames);
      const startedMs = cpuMs();
      for (let run = 0; run < runs; run++) await session.describe(frames);
      return (cpuMs() - startedMs) / batch / runs;
    },
  };
}
