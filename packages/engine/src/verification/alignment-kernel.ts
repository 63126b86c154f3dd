import { frameThumbnailSize } from "../pixels/frame-thumbnail.ts";
import { Instance, Memory, Module } from "../web-assembly.ts";
import type { GreyPyramid } from "./grey-pyramid.ts";
import { kernelBytes } from "./kernel-bytes.ts";
import type { Patch } from "./patch.ts";
import type { Projection } from "./projection.ts";

// The addresses of kernels/verification/layout.ts.
const PAGES = 6;
const PATCH = { bytes: 16_384, validAt: 8192, values: 1920 };
const [PROJECTION, RESULTS, STEP_VECTOR, STEP_MATRIX] = [65_536, 65_664, 66_048, 66_112];
const [LEVELS, AREA_FACTORS, PIXELS] = [66_688, 143_360, 147_456];
const THUMBNAIL = 141_824;
const PARAMETERS = 8;

/** The patches of the kernel, by their numbers. */
export const kernelPatches = { frame: 0, coarseFrame: 1, image: 2, view: 3 } as const;

type KernelPatch = keyof typeof kernelPatches;

type Kernel = {
  readThumbnail(isMirrored: number, isInverted: number): void;
  sample(patch: number, width: number, height: number, level: number): void;
  deviation(patch: number, count: number): number;
  normalise(patch: number, width: number, height: number, reach: number, softness: number): void;
  compare(frame: number, patch: number, count: number): void;
  measureFrame(): void;
  slide(view: number, width: number, height: number): void;
  findStep(
    frame: number,
    patch: number,
    width: number,
    height: number,
    parameters: number,
    gain: number,
  ): void;
};

/** The sums over the common values of a frame and a patch. */
export type Comparison = { product: number; powerOfFrame: number; powerOfPatch: number; compared: number };

let opened: ReturnType<typeof createAlignmentKernel> | undefined;

/**
 * Returns the kernel of this thread. Its patches are shared by everything that runs in the thread: a caller
 * reads its results before it yields.
 */
export function openAlignmentKernel(): AlignmentKernel {
  opened ??= createAlignmentKernel();
  return opened;
}

export type AlignmentKernel = ReturnType<typeof createAlignmentKernel>;

/** Opens the functions of kernels/verification, WebAssembly with SIMD. */
function createAlignmentKernel() {
  const memory = new Memory({ initial: PAGES, maximum: PAGES });
  const { buffer } = memory;
  const module = new Module(kernelBytes);
  const kernel = new Instance(module, { env: { memory } }).exports as Kernel;
  const projection = new Float64Array(buffer, PROJECTION, 9);
  const results = new Float64Array(buffer, RESULTS, 4);
  const vector = new Float64Array(buffer, STEP_VECTOR, PARAMETERS);
  const matrix = new Float64Array(buffer, STEP_MATRIX, PARAMETERS ** 2);
  const levels = new Uint32Array(buffer, LEVELS, 48);
  const areaFactors = new Float64Array(buffer, AREA_FACTORS);
  const pixels = new Float32Array(buffer, PIXELS);
  const stored = new Uint8Array(buffer, THUMBNAIL, frameThumbnailSize.bytes);
  const patches = Object.values(kernelPatches).map((number) => ({
    values: new Float32Array(buffer, number * PATCH.bytes, PATCH.values),
    valid: new Float32Array(buffer, number * PATCH.bytes + PATCH.validAt, PATCH.values),
  }));
  let sampled: GreyPyramid | undefined;

  /** Copies the levels of an image. */
  function load(pyramid: GreyPyramid): void {
    sampled = undefined;
    let at = 0;
    for (const [level, { values, width, height }] of pyramid.levels.entries()) {
      pixels.set(values, at);
      levels.set([PIXELS + at * 4, width, height], level * 3);
      at += values.length;
    }
    sampled = pyramid;
  }

  return {
    /** The values and the validity of a patch, which calls of the kernel change. */
    patchOf: (name: KernelPatch, width: number, height: number): Patch => {
      const { values, valid } = patches[kernelPatches[name]] as (typeof patches)[number];
      const count = width * height;
      return { width, height, values: values.subarray(0, count), valid: valid.subarray(0, count) };
    },
    /** Fills the patches of the frame with a stored thumbnail, as a mirrored or inverted view shows it. */
    readThumbnail(thumbnail: Uint8Array, o: { isMirrored: boolean; isInverted: boolean }): void {
      stored.set(thumbnail);
      kernel.readThumbnail(Number(o.isMirrored), Number(o.isInverted));
    },
    /** Sets the factors of the scores of `slide` by the number of common pixels. */
    setAreaFactors: (factors: readonly number[]): void => areaFactors.set(factors),
    /** Fills a patch with the projected part of a level of an image. */
    sample(pyramid: GreyPyramid, p: Projection, level: number, name: KernelPatch, patch: Patch): void {
      if (sampled !== pyramid) load(pyramid);
      projection.set(p);
      kernel.sample(kernelPatches[name], patch.width, patch.height, level);
    },
    /** Returns the standard deviation of the valid values. */
    deviationOf: (name: KernelPatch, { width, height }: Patch): number =>
      kernel.deviation(kernelPatches[name], width * height),
    /**
     * Subtracts the mean of a window around each value and divides by its deviation, so that light, contrast
     * and tint have no effect. `reach`: radius of the window, at most 3. `softness`: much smaller deviations
     * count as blank.
     */
    normalise: (name: KernelPatch, { width, height }: Patch, reach: number, softness: number): void =>
      kernel.normalise(kernelPatches[name], width, height, reach, softness),
    /** Compares two patches of one size where the second one is valid. */
    compare(frame: KernelPatch, name: KernelPatch, { width, height }: Patch): Comparison {
      kernel.compare(kernelPatches[frame], kernelPatches[name], width * height);
      const resultAt = (at: number) => results[at] ?? 0;
      return {
        product: resultAt(0),
        powerOfFrame: resultAt(1),
        powerOfPatch: resultAt(2),
        compared: resultAt(3),
      };
    },
    /** Prepares the patch of the coarse frame for `slide`. */
    measureFrame: (): void => kernel.measureFrame(),
    /** Returns the best offset of a view within the coarse frame; undefined when nothing agrees. */
    slide({ width, height, values }: Omit<Patch, "valid">) {
      patches[kernelPatches.view]?.values.set(values);
      kernel.slide(kernelPatches.view * PATCH.bytes, width, height);
      const score = results[0] ?? 0;
      return score === 0 ? undefined : { score, dx: results[1] ?? 0, dy: results[2] ?? 0 };
    },
    /** Returns the normal equations of a step: `parameters` unknowns, which a solver may overwrite. */
    findStep(
      frame: KernelPatch,
      name: KernelPatch,
      { width, height }: Patch,
      parameters: number,
      gain: number,
    ) {
      kernel.findStep(kernelPatches[frame], kernelPatches[name], width, height, parameters, gain);
      return { matrix, vector };
    },
  };
}
