import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { defaultModelFolder, loadModel, ModelError, openEngine } from "@koma/engine";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const script = fileURLToPath(new URL("../scripts/build-model.mjs", import.meta.url));
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "koma-model-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe("the model that ships", () => {
  it("is what its script builds, byte for byte", async () => {
    await promisify(execFile)(process.execPath, [script, "--out", folder]);
    for (const name of ["model.onnx", "manifest.json"]) {
      const [built, shipped] = [path.join(folder, name), path.join(defaultModelFolder, name)];
      expect((await readFile(built)).equals(await readFile(shipped)), name).toBe(true);
    }
  });

  it("loads", async () => {
    const model = await loadModel();
    expect(model).toMatchObject({ id: "colour-layout-1.2", dimensions: 128, confidentAt: 0.8 });
  });
});

describe("a model folder that cannot be used", () => {
  beforeEach(async () => {
    await cp(defaultModelFolder, folder, { recursive: true });
  });

  it.each([
    ["no manifest", () => rm(path.join(folder, "manifest.json"))],
    ["no model file", () => rm(path.join(folder, "model.onnx"))],
    ["a changed model file", () => writeFile(path.join(folder, "model.onnx"), "other")],
    ["a manifest that is not JSON", () => writeFile(path.join(folder, "manifest.json"), "{")],
    ["a manifest without dimensions", () => editManifest({ dimensions: undefined })],
    [
      "a calibration that falls",
      () =>
        editManifest({
          calibration: [
            [0, 0.5],
            [1, 0.2],
          ],
        }),
    ],
  ])("is refused: %s", async (_name, damage) => {
    await damage();
    await expect(loadModel(folder)).rejects.toThrow(ModelError);
    await expect(loadModel(folder)).rejects.toThrow(folder);
  });

  it("fails to open an engine when the graph is not what the manifest says", async () => {
    await editManifest({ dimensions: 64 });
    const model = await loadModel(folder);
    await expect(openEngine({ model, workers: 1 })).rejects.toThrow("does not give 64 floats");
  });
});

async function editManifest(change: Record<string, unknown>) {
  const file = path.join(folder, "manifest.json");
  await writeFile(file, JSON.stringify({ ...JSON.parse(await readFile(file, "utf8")), ...change }));
}
