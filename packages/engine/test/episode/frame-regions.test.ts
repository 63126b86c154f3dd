import { describe, expect, it } from "vitest";
import { createRegionFrameSelection, enlargeRegions, frameRegions } from "../../src/episode/frame-regions.ts";
import { drawScene } from "../fixtures/drawn-scenes.ts";

/**
 * Returns the times of the frames that are chosen from shots with these numbers of stored frames, one per
 * second.
 */
function choose(shots: readonly number[]): number[] {
  const selection = createRegionFrameSelection();
  const pixels = new Uint8Array(3);
  const frames = shots.flatMap((count, shot) => Array.from({ length: count }, () => shot));
  const chosen = frames.flatMap((shot, atSeconds) => selection.take({ atSeconds, shot, pixels }));
  return [...chosen, ...selection.finish()].map(({ atSeconds }) => atSeconds);
}

describe("region frame selection", () => {
  it("chooses the middle frame of each shot", () => {
    expect(choose([1, 3, 7])).toEqual([0, 2, 7]);
  });

  it("chooses one of eight stored frames of a long shot and ignores a short remainder", () => {
    expect(choose([16 + 3, 16 + 4])).toEqual([4, 12, 23, 31, 37]);
  });

  it("chooses no frame of an empty video", () => {
    expect(choose([])).toEqual([]);
  });
});

describe("enlargeRegions", () => {
  it("returns the same pixels as a stretched part of the frame", () => {
    const [width, height] = [112, 112];
    const frame = drawScene(5, width, height);
    const enlarged = enlargeRegions(frame, width, height);
    expect(enlarged.length).toBe(frameRegions.length * frame.length);
    for (const [at, { x, y }] of frameRegions.entries()) {
      const region = enlarged.subarray(at * frame.length, (at + 1) * frame.length);
      for (const [column, row] of [
        [0, 0],
        [31, 76],
        [111, 111],
      ] as const) {
        const from = ((y * height + (row >> 1)) * width + x * width + (column >> 1)) * 3;
        const to = (row * width + column) * 3;
        // Edges of shapes are blurred over one pixel.
        if (isEven(frame, from, width)) expect(region[to]).toBeCloseTo(frame[from] ?? 0, -1);
      }
    }
  });

  it("keeps a uniform colour up to the border", () => {
    const enlarged = enlargeRegions(new Uint8Array(8 * 8 * 3).fill(77), 8, 8);
    expect(new Set(enlarged)).toEqual(new Set([77]));
  });
});

function isEven(frame: Uint8Array, at: number, width: number): boolean {
  const around = [at, at - 3, at + 3, at - width * 3, at + width * 3].map(
    (location) => frame[location] ?? frame[at] ?? 0,
  );
  return Math.max(...around) - Math.min(...around) < 4;
}
