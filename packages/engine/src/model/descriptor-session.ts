import { readFile } from "node:fs/promises";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { mirror } from "../pixels/raster.ts";
import type { Model } from "./model.ts";

/**
 * Frames of one run. A session keeps the memory of its largest run: 11 MB for 8 frames, 52 MB for the 40 views
 * of an image, and the processor time per frame is the same.
 */
const framesPerRun = 8;

/** A frame of the model's input size, packed RGB24; `isMirrored` describes its mirror image. */
export type ModelInput = { pixels: Uint8Array; isMirrored?: boolean };

/**
 * Opens a model for one thread. `describe` returns the vectors of frames in the same order (count *
 * dimensions). It blocks the thread during the computation.
 */
export async function openDescriptorSession(model: Model) {
  // A missing file is then an error of Node; the native code would throw one while it opens the session.
  const session = await InferenceSession.create(await readFile(model.file), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: "sequential",
    graphOptimizationLevel: "all",
  });
  const { width, height } = model.input;
  const frameBytes = width * height * 3;
  /** Memory for the frames of a run. Two callers take turns while one of them awaits a run. */
  const inputs: Uint8Array[] = [];

  return {
    async describe(frames: readonly ModelInput[]): Promise<Float32Array> {
      const vectors = new Float32Array(frames.length * model.dimensions);
      const input = inputs.pop() ?? new Uint8Array(framesPerRun * frameBytes);
      try {
        for (let from = 0; from < frames.length; from += framesPerRun) {
          const part = frames.slice(from, from + framesPerRun);
          for (const [at, { pixels, isMirrored = false }] of part.entries()) {
            const into = input.subarray(at * frameBytes, (at + 1) * frameBytes);
            if (isMirrored) mirror(pixels, width, into);
            else into.set(pixels);
          }
          vectors.set(
            await run(input.subarray(0, part.length * frameBytes), part.length),
            from * model.dimensions,
          );
        }
      } finally {
        inputs.push(input);
      }
      return vectors;
    },
  };

  async function run(pixels: Uint8Array, count: number): Promise<Float32Array> {
    const input = new Tensor("uint8", pixels, [count, height, width, 3]);
    const result = await session.run({ [model.input.name]: input }, [model.output.name]);
    const data = result[model.output.name]?.data;
    if (!(data instanceof Float32Array) || data.length !== count * model.dimensions) {
      throw new Error(`The model ${model.id} does not return ${model.dimensions} floats per frame.`);
    }
    return data;
  }
}

/** A model loaded into one thread. */
export type DescriptorSession = Awaited<ReturnType<typeof openDescriptorSession>>;
