import { expect, test } from "vitest";
import type { ImageDescription } from "../../src/image/image-description.ts";
import type { VerifiedHit } from "../../src/pinpoint/verified-hit.ts";
import { verifyHits } from "../../src/search/verify-hits.ts";
import type { Verifier } from "../../src/verification/verifier.ts";

const numbers = [0, 1, 2];
const table = { aspect: 1.5, count: 3, atSeconds: numbers, shotOf: numbers, shots: [] };
const episode = { key: "episode", firstLabel: 0, table };
const view = { vector: new Float32Array(1), region: null, isMirrored: false };
const image = { views: [view] } as unknown as ImageDescription;

test("aligns no frame finely whose coarse alignment cannot become a match, and refines none that is unlikely", async () => {
  const hits: VerifiedHit[] = [0.9, 0.6, 0.4].map((cosine, frame) => ({ episode, frame, view: 0, cosine }));
  // By the number of the frame, which is its only byte.
  const correlations = [0.9, 0.5, 0.2];
  const aligned: (number | undefined)[] = [];
  const refined: (number | undefined)[] = [];
  const verifier = {
    alignCoarsely: ({ thumbnail: [frame = 0] }: { thumbnail: Uint8Array }) => [
      { score: correlations[frame] },
    ],
    align: ({ thumbnail: [frame = 0] }: { thumbnail: Uint8Array }) => {
      aligned.push(frame);
      const evidence = { correlation: correlations[frame], overlap: 1, detail: 1, inliers: 0, outliers: 0 };
      return { evidence, projection: new Array(9).fill(1), region: null, isMirrored: false };
    },
    coverageOf: () => 1,
    createComparison: ({ thumbnail: [frame] }: { thumbnail: Uint8Array }) => {
      refined.push(frame);
      return () => 0;
    },
    plainShareOf: () => 0,
  } as unknown as Verifier;
  const found = await verifyHits(hits, {
    verifier,
    scoreWeights: { bias: -15, cosine: 9, agreement: 6 },
    image,
    thumbnailOf: ({ frame }) => Uint8Array.of(frame),
    load: () => undefined,
    cosineOf: ({ cosine }) => cosine,
    yieldNow: () => undefined,
  });
  expect(aligned).toEqual([0, 1]);
  expect(refined).toEqual([0]);
  expect(found.map(({ frame, verification }) => [frame, (verification?.similarity ?? 1) > 0.5])).toEqual([
    [1, false],
    [2, false],
    [0, true],
  ]);
  expect(found[1]?.verification).toMatchObject({ similarity: 0, features: null });
});
