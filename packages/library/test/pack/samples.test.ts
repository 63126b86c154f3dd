import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { decodeFrameTable, loadModel } from "@koma/engine";
import { sharp } from "@koma/image";
import { clipsFolder, samplePack } from "@koma/sample-library";
import { expect, test } from "vitest";
import { parseVideoPath } from "../../src/file-name/parse-video-path.ts";
import { hashVideo } from "../../src/indexing/hash-video.ts";
import { readPack } from "../../src/pack/episodes.ts";

// When this file fails after a change of the model, the clips or the sections: `npm run samples`.
const model = await loadModel();
const bytes = await readFile(samplePack);
const episodes = await Array.fromAsync(readPack(inOnePart(bytes), { modelId: model.id }));

test("the pack of the samples has every clip with its naming and all sections", async () => {
  const entries = await readdir(clipsFolder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const expected = await Promise.all(
    files.map(async (file) => {
      const { anilistId: _none, ...naming } = parseVideoPath(join("/", relative(clipsFolder, file)));
      return { contentHash: await hashVideo(file), ...naming };
    }),
  );
  const byHash = (a: { contentHash: string }, b: { contentHash: string }) =>
    a.contentHash.localeCompare(b.contentHash);
  const found = episodes.map(({ contentHash, title, season, number, episodeTitle }) => ({
    ...{ contentHash, title, season, number, episodeTitle },
  }));
  expect(expected).toHaveLength(8);
  expect(found.sort(byHash)).toEqual(expected.sort(byHash));
  expect((await stat(samplePack)).size).toBeLessThanOrEqual(4_700_000);
});

test.each(
  episodes.map((episode) => ({ name: `${episode.title} ${episode.season} ${episode.number}`, episode })),
)(
  "$name has descriptors, and a still, frames and a clip of every shot",
  async ({ episode: { descriptors, stills, frames, clips, durationSeconds } }) => {
    if (descriptors === undefined || stills === undefined) throw new Error("A section is missing.");
    const { shots, count, dimensions } = decodeFrameTable(descriptors.frameTable);
    expect([dimensions, descriptors.frameCount]).toEqual([model.dimensions, count]);
    expect(count).toBeGreaterThan(durationSeconds);
    // The number of stills in the header of their set.
    expect(Buffer.from(stills).readUInt32BE(4)).toBe(shots.length);
    expect(clips).toHaveLength(shots.length);
    for (const [index, { fromSeconds, toSeconds }] of shots.entries()) {
      expect(clips[index]?.fromSeconds).toBeCloseTo(fromSeconds, 2);
      expect(clips[index]?.bytes.subarray(4, 8)).toEqual(Buffer.from("ftyp"));
      const middle = (fromSeconds + toSeconds) / 2;
      const isShown = frames.some(
        (frame) => frame.fromSeconds <= middle && middle <= frame.toSeconds + 0.001,
      );
      expect(isShown, `the middle of shot ${index}`).toBe(true);
    }
    for (const frame of frames) {
      const { width, height } = await sharp(frame.bytes).metadata();
      expect([width, height]).toEqual([480, 270]);
    }
  },
);

async function* inOnePart(part: Uint8Array) {
  yield part;
}
