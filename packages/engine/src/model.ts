/** A descriptor model in a folder: the numbers that everything else takes from its manifest. */
export type Model = {
  id: string;
  folder: string;
  dimensions: number;
  input: { width: number; height: number };
};

/** Folder of the model that ships with the engine. */
export const defaultModelFolder: string = "";

/** Reads and checks a model folder (manifest.json and the ONNX file it names). Throws ModelError. */
export async function loadModel(_folder: string = defaultModelFolder): Promise<Model> {
  throw new Error("not built yet");
}
