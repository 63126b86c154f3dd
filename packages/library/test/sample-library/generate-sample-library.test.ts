import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type FfmpegTools, findFfmpeg, openFrameStream, probeVideo } from "@koma/media";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { generateSampleLibrary } from "../../src/sample-library/generate-sample-library.ts";
import { sampleEpisodes } from "../../src/sample-library/sample-series.ts";

let tools: FfmpegTools;
let folder: string;

beforeAll(async () => {
  tools = await findFfmpeg();
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "koma-sample-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const expected = ["Paper Boats/Season 2/S02E01.mp4"];

/** Drawing all films takes a while: the others are there already (and must be kept). */
async function fillWithOthers(): Promise<string[]> {
  const others = sampleEpisodes
    .map(({ file }) => join(folder, file))
    .filter((file) => !expected.some((w) => file.endsWith(w)));
  for (const file of others) {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, "kept");
  }
  return others;
}

describe("generateSampleLibrary", () => {
  it("draws what is missing, keeps what is there, and tells how far it is", async () => {
    const others = await fillWithOthers();
    const leftover = join(folder, "Paper Boats/Season 2/.killed.part");
    await mkdir(dirname(leftover), { recursive: true });
    await writeFile(leftover, "half");
    await utimes(leftover, 1e9, 1e9);
    const seen: string[] = [];
    const files = await generateSampleLibrary({
      tools,
      folder,
      onProgress: (done, total) => seen.push(`${done}/${total}`),
    });
    expect(files).toEqual(sampleEpisodes.map(({ file }) => join(folder, file)));
    expect(seen).toEqual(["0/8", "1/8", "2/8", "3/8", "4/8", "5/8", "6/8", "7/8", "8/8"]);
    for (const file of others) expect(await readFile(file, "utf8")).toBe("kept");

    expect(await readdir(dirname(leftover))).toEqual(["S02E01.mp4"]);

    const file = join(folder, expected[0] ?? "");
    const shots = sampleEpisodes[5]?.shots() ?? [];
    const seconds = shots.reduce((sum, shot) => sum + Math.round(shot.seconds * 12) / 12, 0);
    expect(await probeVideo(tools, file)).toEqual({
      durationSeconds: expect.closeTo(seconds, 1),
      width: 480,
      height: 270,
      videoCodec: "h264",
      hasAudio: false,
      framesPerSecond: 12,
    });
    expect(await cuts(file)).toEqual(borders(shots));

    const before = await readFile(file);
    await generateSampleLibrary({ tools, folder });
    expect(await readFile(file)).toEqual(before);
  });

  it("leaves no half film when it is stopped, and goes on the next time", async () => {
    await fillWithOthers();
    const stop = new AbortController();
    const drawing = generateSampleLibrary({
      tools,
      folder,
      onProgress: (done) => {
        if (done === 5) setImmediate(() => stop.abort(new Error("enough")));
      },
      signal: stop.signal,
    });
    await expect(drawing).rejects.toThrow("enough");
    expect(await readdir(join(folder, "Paper Boats/Season 2"))).toEqual([]);
    await expect(generateSampleLibrary({ tools, folder, signal: stop.signal })).rejects.toThrow("enough");
  });
});

/** Times at which the picture changes as a whole. */
async function cuts(file: string): Promise<string[]> {
  const times: string[] = [];
  let last: Uint8Array | undefined;
  for await (const { atSeconds, pixels } of openFrameStream(tools, file, {
    width: 24,
    height: 14,
    minGapSeconds: 0,
  })) {
    const before = last;
    const change =
      pixels.reduce((sum, value, i) => sum + Math.abs(value - (before?.[i] ?? value)), 0) / pixels.length;
    if (change > 18) times.push(atSeconds.toFixed(2));
    last = pixels;
  }
  return times;
}

function borders(shots: { seconds: number }[]): string[] {
  let frames = 0;
  return shots.slice(0, -1).map((shot) => {
    frames += Math.round(shot.seconds * 12);
    return (frames / 12).toFixed(2);
  });
}
