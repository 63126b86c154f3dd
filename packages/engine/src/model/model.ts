import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { type CalibrationPoint, type RivalWeights, type ScoreWeights, scoreTerms } from "./score-weights.ts";

/**
 * A descriptor model with all properties that the rest of the program depends on. It is plain data that
 * workers receive.
 */
export type Model = {
  /** Identifies comparable descriptors: the id of the manifest with the number of the stored format. */
  id: string;
  folder: string;
  /** Absolute path of the ONNX file; `sha256` is the hash of its bytes. */
  file: string;
  sha256: string;
  /**
   * Name of the input of the graph, uint8 RGB [N, height, width, 3], and the size that images are stretched
   * to.
   */
  input: { name: string; width: number; height: number };
  /** Name of the output of the graph, float [N, dimensions], unit length. */
  output: { name: string };
  dimensions: number;
  /**
   * Orthonormal rows of floats, those of most energy first, in which the index compares descriptors; missing
   * for a model whose outputs have this order. `file` is an absolute path, `sha256` is the hash of its bytes.
   */
  principalAxes?: { file: string; sha256: string };
  /** Minimum distance of described frames. */
  minGapSeconds: number;
  /** Calibration of scenes that could not be verified. */
  calibration: CalibrationPoint[];
  /** Weights of verified frames. */
  scoreWeights: ScoreWeights;
  /** Weights of verified regions of frames. */
  regionScoreWeights: ScoreWeights;
  /** Weights of a scene and of the best scene of another episode. */
  rivalWeights: RivalWeights;
  /** Below this similarity of the best scene the outcome is `not_in_library`. */
  absentBelow: number;
  /** From this similarity on a scene is confident. */
  confidentAt: number;
};

/**
 * Increases when the stored data of a frame changes: old descriptors then belong to another model, and videos
 * are described again.
 */
const DESCRIPTOR_FORMAT = 2;

/** A model folder that cannot be used; the message names the folder and the reason. */
export class ModelError extends Error {
  override readonly name = "ModelError";
}

/** Folder of the model that is part of the package. */
export const defaultModelFolder: string = fileURLToPath(new URL("../../models/koma-1/", import.meta.url));

/**
 * Reads a model folder: `manifest.json` and the ONNX file it names, whose sha256 must match. Throws
 * ModelError.
 */
export async function loadModel(folder: string = defaultModelFolder): Promise<Model> {
  const modelError = (reason: string) => new ModelError(`The model in ${folder} cannot be used: ${reason}.`);
  const read = async (name: string) => {
    try {
      return await readFile(path.join(folder, name));
    } catch (cause) {
      throw new ModelError(modelError(`${name} cannot be read`).message, { cause });
    }
  };
  const manifest = parseJson((await read("manifest.json")).toString("utf8"));
  if (!isManifest(manifest)) throw modelError("manifest.json is not a model's manifest");
  const verify = async ({ file, sha256 }: { file: string; sha256: string }) => {
    const bytes = await read(file);
    if (createHash("sha256").update(bytes).digest("hex") === sha256) return bytes.length;
    throw modelError(`${file} is not the file that manifest.json describes`);
  };
  await verify(manifest);
  const id = `${manifest.id}.${DESCRIPTOR_FORMAT}`;
  const model = { ...manifest, id, folder, file: path.join(folder, manifest.file) };
  const axes = manifest.principalAxes;
  if (axes === undefined) return model;
  if ((await verify(axes)) !== manifest.dimensions ** 2 * 4)
    throw modelError(`${axes.file} has the wrong size`);
  return { ...model, principalAxes: { ...axes, file: path.join(folder, axes.file) } };
}

/** Returns the principal axes of a loaded model, row by row; undefined when it has none. */
export function readPrincipalAxes({ principalAxes }: Model): Float32Array | undefined {
  if (principalAxes === undefined) return undefined;
  return new Float32Array(Uint8Array.from(readFileSync(principalAxes.file)).buffer);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isManifest(value: unknown): value is Omit<Model, "folder"> {
  if (!isRecord(value) || !isRecord(value.input) || !isRecord(value.output)) return false;
  const { id, file, sha256, input, output, dimensions, minGapSeconds, calibration } = value;
  const { scoreWeights, regionScoreWeights, rivalWeights, absentBelow, confidentAt, principalAxes } = value;
  return (
    [id, file, sha256, input.name, output.name].every((one) => typeof one === "string" && one !== "") &&
    [input.width, input.height, dimensions].every((one) => Number.isInteger(one) && Number(one) > 0) &&
    [minGapSeconds, confidentAt, absentBelow].every((one) => typeof one === "number" && one >= 0) &&
    (principalAxes === undefined || isStoredFile(principalAxes)) &&
    isCalibration(calibration) &&
    isScoreWeights(scoreWeights) &&
    isScoreWeights(regionScoreWeights) &&
    isRivalWeights(rivalWeights)
  );
}

function isStoredFile(value: unknown): boolean {
  return isRecord(value) && typeof value.file === "string" && typeof value.sha256 === "string";
}

function isCalibration(value: unknown): value is CalibrationPoint[] {
  return (
    Array.isArray(value) &&
    value.length >= 2 &&
    value.every((point, at) => {
      const [cosine, similarity] = Array.isArray(point) ? point : [];
      const [lastCosine, lastSimilarity] = at > 0 ? value[at - 1] : [-2, 0];
      return cosine > lastCosine && similarity >= lastSimilarity && similarity >= 0 && similarity <= 1;
    })
  );
}

function isScoreWeights(value: unknown): value is ScoreWeights {
  return (
    isRecord(value) &&
    Number.isFinite(value.bias) &&
    scoreTerms.every((term) => value[term] === undefined || Number.isFinite(value[term]))
  );
}

function isRivalWeights(value: unknown): value is RivalWeights {
  return isRecord(value) && [value.bias, value.score, value.rival].every((weight) => Number.isFinite(weight));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
