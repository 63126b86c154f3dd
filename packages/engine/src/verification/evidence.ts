import type { Patch } from "./patch.ts";

/** What speaks for a frame being the one in the picture, all 0..1 but `correlation` (-1..1). */
export type Evidence = {
  /** Of all pixels that both show. */
  correlation: number;
  /** Of blocks of pixels, the better seven tenths of them, by how much there is to see in them: something laid over the picture does no harm. */
  steadyCorrelation: number;
  /** Share of the frame in blocks that agree and have something to see in them. */
  agreeing: number;
  /** Share of the frame that the picture shows. */
  overlap: number;
  /** How much there is to see in the frame where the picture shows it. */
  detail: number;
};

const BLOCK_WIDTH = 5;
const BLOCK_HEIGHT = 6;
const STEADY_SHARE = 0.7;
const AGREEING = 0.5;
const LEAST_DETAIL = 0.15;

/** Compares a frame with what a picture shows in its place, block by block. Both made comparable by local normalisation. */
export function weighEvidence(frame: Patch, patch: Patch): Evidence {
  const { width, height } = frame;
  const blocks: { correlation: number; weight: number }[] = [];
  let [product, one, other, seen, agreeing] = [0, 0, 0, 0, 0];
  for (let top = 0; top < height; top += BLOCK_HEIGHT) {
    for (let left = 0; left < width; left += BLOCK_WIDTH) {
      let [ab, aa, bb, count] = [0, 0, 0, 0];
      for (let y = top; y < Math.min(height, top + BLOCK_HEIGHT); y++) {
        for (let x = left; x < Math.min(width, left + BLOCK_WIDTH); x++) {
          const at = y * width + x;
          if (patch.valid[at] !== 1) continue;
          const a = frame.values[at] ?? 0;
          const b = patch.values[at] ?? 0;
          ab += a * b;
          aa += a * a;
          bb += b * b;
          count++;
        }
      }
      [product, one, other, seen] = [product + ab, one + aa, other + bb, seen + count];
      if (count < (BLOCK_WIDTH * BLOCK_HEIGHT) / 2) continue;
      const correlation = ab / Math.sqrt(aa * bb + 1e-3);
      const detail = Math.min(aa, bb) / count;
      blocks.push({ correlation, weight: Math.min(aa, bb) });
      if (correlation > AGREEING && detail > LEAST_DETAIL) agreeing += count;
    }
  }
  const area = width * height;
  return {
    correlation: product / Math.sqrt(one * other + 1e-3),
    steadyCorrelation: meanOfBetter(blocks),
    agreeing: agreeing / area,
    overlap: seen / area,
    detail: seen > 0 ? Math.min(1, Math.min(one, other) / seen) : 0,
  };
}

function meanOfBetter(blocks: { correlation: number; weight: number }[]): number {
  blocks.sort((a, b) => b.correlation - a.correlation);
  let room = 0;
  for (const { weight } of blocks) room += weight;
  room *= STEADY_SHARE;
  const whole = room;
  let sum = 0;
  for (const { correlation, weight } of blocks) {
    const taken = Math.min(room, weight);
    sum += taken * correlation;
    room -= taken;
    if (room <= 0) break;
  }
  return whole > 0 ? sum / whole : 0;
}
