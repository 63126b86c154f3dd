import { readFile } from "node:fs/promises";
import { InferenceSession, Tensor } from "onnxruntime-node";
import type { Model } from "./model.ts";

/**
 * Frames of one run. A session keeps the memory of its largest run: 11 MB for 8 frames, 52 MB for the 40 views
 * of an image, and the processor time per frame is the same.
 */
const framesPerRun = 8;

/**
 * Opens a model for one thread. `describe` takes frames of the model's input size, packed RGB24 one after
 * another, and returns their vectors in the same order (count * dimensions). It blocks the thread during the
 * computation.
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

  return {
    async describe(pixels: Uint8Array): Promise<Float32Array> {
      const frameBytes = width * height * 3;
      const count = pixels.length / frameBytes;
      const vectors = new Float32Array(count * model.dimensions);
      for (let from = 0; from < count; from += framesPerRun) {
        const part = pixels.subarray(from * frameBytes, (from + framesPerRun) * frameBytes);
        vectors.set(await run(part, part.length / frameBytes), from * model.dimensions);
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
