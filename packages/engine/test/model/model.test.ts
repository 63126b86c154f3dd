import { createHash } from "node:crypto";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { defaultModelFolder, loadModel, ModelError, openEngine } from "@koma/engine";
import type { Sharp } from "@koma/image";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { dot } from "../../src/nearest-neighbours/frame-vectors.ts";
import { openImageDescriber } from "../fixtures/describe-images.ts";
import { drawImage } from "../fixtures/drawn-scenes.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "koma-model-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe("default model", () => {
  it("loads", async () => {
    const model = await loadModel();
    expect(model).toMatchObject({ id: "koma-1.2", dimensions: 128, confidentAt: 0.9 });
  });

  it("distinguishes an edited scene from other scenes", async () => {
    const { describeFirst } = await openImageDescriber(await loadModel());
    const vectorOf = async (image: Sharp) =>
      (await describeFirst(await image.jpeg().toBuffer())).views[0]?.vector ?? [];
    const seeds = Array.from({ length: 24 }, (_, at) => at + 1);
    const vectors = await Promise.all(seeds.map((seed) => vectorOf(drawImage(seed))));
    for (const edit of edits) {
      const found = await Promise.all(
        seeds.map(async (seed, at) => {
          const edited = await vectorOf(edit(drawImage(seed)));
          const cosines = vectors.map((vector) => dot(vector, edited));
          return cosines.indexOf(Math.max(...cosines)) === at;
        }),
      );
      expect(found.filter(Boolean).length, edit.toString()).toBeGreaterThanOrEqual(22);
    }
  });
});

const edits = [
  (image: Sharp) => image.modulate({ brightness: 0.6, saturation: 0.4 }),
  (image: Sharp) => image.flop(),
  (image: Sharp) => image.greyscale(),
  (image: Sharp) => image.blur(4),
  (image: Sharp) => image.extract({ left: 40, top: 20, width: 240, height: 135 }),
  (image: Sharp) => image.rotate(8, { background: "#202020" }),
];

describe("invalid model folder", () => {
  beforeEach(async () => {
    await cp(defaultModelFolder, folder, { recursive: true });
  });

  it.each([
    ["no manifest", () => rm(path.join(folder, "manifest.json"))],
    ["no model file", () => rm(path.join(folder, "model.onnx"))],
    ["a changed model file", () => writeFile(path.join(folder, "model.onnx"), "other")],
    ["no principal axes", () => rm(path.join(folder, "principal-axes.bin"))],
    ["changed principal axes", () => writeFile(path.join(folder, "principal-axes.bin"), "other")],
    ["principal axes of another size", () => replaceAxes(Buffer.alloc(64))],
    ["principal axes without a file", () => editManifest({ principalAxes: { sha256: "0" } })],
    ["a manifest that is not JSON", () => writeFile(path.join(folder, "manifest.json"), "{")],
    ["a manifest without dimensions", () => editManifest({ dimensions: undefined })],
    [
      "a decreasing calibration",
      () =>
        editManifest({
          calibration: [
            [0, 0.5],
            [1, 0.2],
          ],
        }),
    ],
  ])("is rejected with %s", async (_name, damage) => {
    await damage();
    await expect(loadModel(folder)).rejects.toThrow(ModelError);
    await expect(loadModel(folder)).rejects.toThrow(folder);
  });

  it("fails to open an engine when the graph contradicts the manifest", async () => {
    await editManifest({ dimensions: 64, principalAxes: undefined });
    const model = await loadModel(folder);
    await expect(openEngine({ model, workers: 1 })).rejects.toThrow("does not return 64 floats");
  });
});

async function replaceAxes(bytes: Buffer) {
  const file = "principal-axes.bin";
  await writeFile(path.join(folder, file), bytes);
  await editManifest({ principalAxes: { file, sha256: createHash("sha256").update(bytes).digest("hex") } });
}

async function editManifest(change: Record<string, unknown>) {
  const file = path.join(folder, "manifest.json");
  await writeFile(file, JSON.stringify({ ...JSON.parse(await readFile(file, "utf8")), ...change }));
}
