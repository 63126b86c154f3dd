import { expect, test } from "vitest";
import type { Hit } from "../../src/frame-index/hit.ts";
import type { ImageDescription } from "../../src/image/image-description.ts";
import { verifyRegions } from "../../src/search/verify-regions.ts";
import type { Verifier } from "../../src/verification/verifier.ts";

const count = 12;
const numbers = Array.from({ length: count }, (_, frame) => frame);
const table = { aspect: 1.5, count, atSeconds: numbers, shotOf: numbers, shots: [] };
const episode = { key: "episode", firstLabel: 0, table };
const view = { vector: new Float32Array(1), region: null, isMirrored: false };
const image = { views: [view] } as unknown as ImageDescription;

const options = {
  scoreWeights: { bias: 0, cosine: 1 },
  image,
  regionThumbnailOf: () => new Uint8Array(480),
  loadRegions: async () => undefined,
  frameOf: (region: Hit) => region,
  // Without its thumbnail a frame is returned as it is.
  thumbnailOf: () => undefined,
  loadFrames: async () => undefined,
  yieldNow: () => undefined,
};
const hits = numbers.map((frame): Hit => ({ episode, frame, view: 0, cosine: 0.9 - frame / 100 }));

/** Aligns each region with a coarse correlation and then a correlation. */
function createVerifier(coarse: number, correlation: number) {
  return {
    alignCoarsely: () => [{ score: coarse }],
    align: () => ({
      evidence: { correlation, overlap: 1, detail: 1 },
      projection: new Array(9).fill(1),
    }),
    coverageOf: () => 1,
    createComparison: () => () => 0,
  } as unknown as Verifier;
}

test("reads the frames of a batch of regions at once", async () => {
  const requests: { frames: number[]; reach: number | undefined }[] = [];
  const found = await verifyRegions(hits, {
    ...options,
    verifier: createVerifier(0.5, 0.8),
    loadFrames: async (hits, reach) => {
      requests.push({ frames: hits.map(({ frame }) => frame), reach });
    },
  });
  expect(requests).toEqual([
    { frames: [0, 1, 2], reach: 24 },
    { frames: [8, 9, 10], reach: 24 },
  ]);
  expect(found.map(({ frame }) => frame)).toEqual([0, 1, 2, 8, 9, 10]);
});

test.each([
  ["a coarse alignment", 0.35, 0.8],
  ["an alignment", 0.5, 0.2],
])("gives up a region of which %s agrees too little", async (_name, coarse, correlation) => {
  expect(await verifyRegions(hits, { ...options, verifier: createVerifier(coarse, correlation) })).toEqual(
    [],
  );
});
