import { sharp } from "@koma/image";
import { describe, expect, it } from "vitest";
import { frameSvg, type Shot } from "../src/drawing/shot.ts";
import { sampleEpisodes } from "../src/sample-series.ts";

const openingTakes = 3;

describe("sample episodes", () => {
  it("are eight episodes of three series, each about half a minute, with realistic file names", () => {
    expect(sampleEpisodes.map(({ file }) => file)).toEqual([
      "Lantern Road/Lantern Road - 01.mp4",
      "Lantern Road/Lantern Road - 02.mp4",
      "Lantern Road/Lantern Road - 03.mp4",
      "Paper Boats/Season 1/S01E01.mp4",
      "Paper Boats/Season 1/S01E02.mp4",
      "Paper Boats/Season 2/S02E01.mp4",
      "Iron Comet/[Koma] Iron Comet - 01 [270p].mp4",
      "Iron Comet/[Koma] Iron Comet - 02 [270p].mp4",
    ]);
    for (const { shots } of sampleEpisodes) {
      const seconds = shots().reduce((sum, shot) => sum + shot.seconds, 0);
      expect(seconds).toBeGreaterThan(25);
      expect(seconds).toBeLessThan(40);
    }
  });

  it("are drawn the same each time", () => {
    const drawAll = () => sampleEpisodes.map(({ shots }) => shots().map((shot) => frameSvg(shot, 1)));
    expect(drawAll()).toEqual(drawAll());
  });

  it("begin with the opening of their series", () => {
    const openings = sampleEpisodes.map(({ title, shots }) => ({
      title,
      drawn: shots()
        .slice(0, openingTakes)
        .map((shot) => frameSvg(shot, 0.5)),
    }));
    for (const a of openings) {
      for (const b of openings) {
        if (a.title === b.title) expect(a.drawn).toEqual(b.drawn);
        else expect(a.drawn).not.toEqual(b.drawn);
      }
    }
  });

  it("have distinct shots", async () => {
    const takes = sampleEpisodes.flatMap(({ file, shots }) =>
      shots()
        .slice(openingTakes)
        .map((shot, i) => ({ name: `${file}, take ${i + 1}`, shot })),
    );
    expect(takes.length).toBe(64);
    const images = await Promise.all(takes.map(({ shot }) => thumbnail(shot, shot.seconds / 2)));
    const close = takes.flatMap((take, i) =>
      takes.slice(i + 1).flatMap((other, k) => {
        const distance = difference(images[i] ?? [], images[i + 1 + k] ?? []);
        return distance < 14 ? [`${take.name} and ${other.name}: ${distance.toFixed(1)}`] : [];
      }),
    );
    expect(close).toEqual([]);
  });

  it("contain motion in every shot", async () => {
    const still: string[] = [];
    for (const { file, shots } of sampleEpisodes) {
      for (const [i, shot] of shots().entries()) {
        const [first, last] = [await thumbnail(shot, 0), await thumbnail(shot, shot.seconds - 0.1)];
        const change = difference(first, last);
        if (change < 0.3) still.push(`${file}, take ${i}: ${change.toFixed(2)}`);
      }
    }
    expect(still).toEqual([]);
  });
});

/** Returns a frame at a fifteenth of its size, as RGB. */
async function thumbnail(shot: Shot, seconds: number): Promise<Uint8Array> {
  return sharp(Buffer.from(frameSvg(shot, seconds)))
    .removeAlpha()
    .resize(32, 18, { kernel: "cubic" })
    .raw()
    .toBuffer();
}

function difference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += Math.abs((a[i] ?? 0) - (b[i] ?? 0));
  return sum / a.length;
}
