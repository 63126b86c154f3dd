import { join } from "node:path";
import { decodeDescriptors, loadModel, openEngine } from "@koma/engine";
import { findFfmpeg } from "@koma/media";
import { clipsFolder, samplePack } from "@koma/sample-library";
import { expect, test } from "vitest";
import { describeVideo } from "../../src/indexing/describe-video.ts";
import { discoverVideos } from "../../src/indexing/discover-videos.ts";
import { hashVideo } from "../../src/indexing/hash-video.ts";
import { findInPack } from "../../src/pack/find-in-pack.ts";

test("a sample clip that the system's ffmpeg reads has the descriptors of the pack", async () => {
  const model = await loadModel();
  const { videos } = await discoverVideos([join(clipsFolder, "Lantern Road")]);
  const [video] = videos;
  if (video === undefined) throw new Error("The clip is missing.");
  const pack = { file: samplePack, modelId: model.id };
  const packed = await findInPack(pack, await hashVideo(video.path));
  if (packed?.descriptors === undefined) throw new Error("The pack has no descriptors of the clip.");

  const engine = await openEngine({ model, workers: 1 });
  const parts = { engine, tools: await findFfmpeg({ ffmpegPath: process.env.FFMPEG_PATH }) };
  const described = await describeVideo(
    parts,
    { ...video, localPath: video.path },
    { fast: false, onEvent: () => undefined, signal: new AbortController().signal },
  ).finally(() => engine.close());

  const decode = ({ frameTable, chunks }: Pick<typeof described, "frameTable" | "chunks">) =>
    decodeDescriptors(model.id, frameTable, chunks);
  const [one, other] = [decode(described), decode(packed.descriptors)];
  expect(one.shots).toEqual(other.shots);
  expect(one.atSeconds).toEqual(other.atSeconds);
  expect(one.shotOf).toEqual(other.shotOf);
  expect(one.regions?.atSeconds).toEqual(other.regions?.atSeconds);
  // Builds of ffmpeg and processors round differently.
  for (let frame = 0; frame < one.count; frame++) {
    const at = [frame * model.dimensions, (frame + 1) * model.dimensions] as const;
    expect(cosine(one.vectors.subarray(...at), other.vectors.subarray(...at))).toBeGreaterThan(0.995);
  }
  expect(described.durationSeconds).toBeCloseTo(packed.durationSeconds, 2);
}, 300_000);

function cosine(a: Int8Array, b: Int8Array): number {
  const product = (x: Int8Array, y: Int8Array) => x.reduce((sum, value, at) => sum + value * (y[at] ?? 0), 0);
  return product(a, b) / Math.sqrt(product(a, a) * product(b, b));
}
