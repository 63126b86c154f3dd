import { InferenceSession, Tensor } from "onnxruntime-node";
import type { Model } from "./model.ts";

/**
 * Opens a model for one thread. `describe` takes frames of the model's input size, packed RGB24 one after
 * another, and returns their vectors in the same order (count * dimensions). It blocks the thread during the
 * computation.
 */
export async function openDescriptorSession(model: Model) {
  const session = await InferenceSession.create(model.file, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: "sequential",
    graphOptimizationLevel: "all",
  });
  const { width, height } = model.input;

  return {
    async describe(pixels: Uint8Array): Promise<Float32Array> {
      const count = pixels.length / (width * height * 3);
      const input = new Tensor("uint8", pixels, [count, height, width, 3]);
      const result = await session.run({ [model.input.name]: input }, [model.output.name]);
      const data = result[model.output.name]?.data;
      if (!(data instanceof Float32Array) || data.length !== count * model.dimensions) {
        throw new Error(`The model ${model.id} does not return ${model.dimensions} floats per frame.`);
      }
      return data;
    },
  };
}

/** A model loaded into one thread. */
export type DescriptorSession = Awaited<ReturnType<typeof openDescriptorSession>>;
