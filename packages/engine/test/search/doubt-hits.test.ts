import { expect, it } from "vitest";
import type { ImageDescription } from "../../src/image/image-description.ts";
import { sampleShownImage } from "../../src/pinpoint/shown-image.ts";
import type { VerifiedHit } from "../../src/pinpoint/verified-hit.ts";
import { frameThumbnailSize, writeFrameThumbnail } from "../../src/pixels/frame-thumbnail.ts";
import { doubtHits } from "../../src/search/doubt-hits.ts";
import { createGreyPyramid } from "../../src/verification/grey-pyramid.ts";
import { projectionTo } from "../../src/verification/projection.ts";

type Draw = (x: number, y: number) => number;

const [width, height] = [160, 96];
const isBar = (x: number) => (x * 5) % 1 < 0.5;
const bars: Draw = (x, y) => (isBar(x) ? 25 : 170 - 50 * y);
const scene: Draw = (x, y) => {
  if (Math.hypot((x - 0.35) * 1.7, y - 0.4) < 0.25) return 230 - 150 * x;
  return y > 0.7 + 0.06 * Math.sin(9 * x) ? 60 + 60 * x : 140 - 80 * y;
};
const sceneBehindBars: Draw = (x, y) => (isBar(x) ? 25 : scene(x, y));

/**
 * Returns the similarity of a certain match of a frame with an image that shows it as a whole, found by a region
 * of the frame or not.
 */
function doubt(frame: Draw, shown: Draw, isRegion = false): number {
  const pixels = new Uint8Array(width * height * 3);
  const values = new Float32Array(width * height);
  for (let at = 0; at < values.length; at++) {
    const [x, y] = [((at % width) + 0.5) / width, (Math.floor(at / width) + 0.5) / height];
    values[at] = shown(x, y);
    pixels.fill(frame(x, y), at * 3, at * 3 + 3);
  }
  const thumbnail = new Uint8Array(frameThumbnailSize.bytes);
  writeFrameThumbnail(pixels, width, height, thumbnail);
  const image: ImageDescription = {
    modelId: "model",
    width,
    height,
    isFlat: false,
    views: [{ vector: new Float32Array(1), region: null, isMirrored: false }],
    grey: { values, width, height },
  };
  const table = { aspect: 16 / 9, count: 1, atSeconds: [0], shotOf: [0], shots: [] };
  const corners = [
    [0, 0],
    [width, 0],
    [width, height],
    [0, height],
  ] as const;
  const projection = projectionTo(corners);
  const features = { correlation: 0.9, overlap: 1, detail: 0.5, inliers: 0.8, outliers: 0, coverage: 1 };
  const hit: VerifiedHit = {
    episode: { key: "episode", table, firstLabel: 0 },
    frame: 0,
    view: 0,
    cosine: 0.9,
    verification: {
      similarity: 1,
      region: null,
      isMirrored: false,
      features: isRegion ? { ...features, cosine: 0.9, ofFrame: features } : null,
      projection,
    },
    pinpoint: {
      atSeconds: 0,
      cost: 10,
      drawing: 0,
      looksSameFrom: 0,
      looksSameTo: 0,
      parts: new Float32Array(1),
      verifiedSimilarity: 1,
      shown: sampleShownImage(
        createGreyPyramid({ values, width, height }),
        { projection, isMirrored: false, isInverted: false },
        undefined,
      ),
      readPixels: () =>
        Uint8Array.from({ length: 80 * 48 }, (_, at) =>
          frame(((at % 80) + 0.5) / 80, (Math.floor(at / 80) + 0.5) / 48),
        ),
    },
  };
  // An episode without strips has the thumbnail only.
  const hits = isRegion ? [hit] : [hit, { ...hit, pinpoint: undefined }];
  const doubted = hits.map((one) => doubtHits([one], { image, thumbnailOf: () => thumbnail })[0]);
  const similarities = new Set(doubted.map((one) => one?.verification?.similarity));
  expect(similarities.size).toBe(1);
  return doubted[0]?.verification?.similarity ?? -1;
}

it("doubts bars that an image of something else shows as well", () => {
  expect(doubt(bars, sceneBehindBars)).toBeLessThan(0.1);
});

it("does not doubt bars that the image shows exactly, in another tone as well", () => {
  expect(doubt(bars, bars)).toBe(1);
  expect(doubt(bars, (x, y) => 20 + 0.8 * bars(x, y))).toBe(1);
});

it("does not doubt a scene, behind bars either", () => {
  expect(doubt(scene, scene)).toBe(1);
  expect(doubt(scene, sceneBehindBars)).toBe(1);
});

/** Two faces of the same outlines: the first number is the brightness of the hair, the others of skin and eyes. */
const face =
  (hair: number, skin: number, eyes: number, ground: number): Draw =>
  (x, y) => {
    const [dx, dy] = [(x - 0.5) * 1.7, y - 0.5];
    if (Math.hypot(Math.abs(dx) - 0.15, dy) < 0.07) return eyes;
    const radius = Math.hypot(dx, dy);
    if (Math.abs(radius - 0.4) < 0.02) return 10;
    if (radius > 0.4) return ground;
    return dy < -0.15 ? hair : skin;
  };

it("doubts a part of a frame with the same outlines and other brightness", () => {
  const drawn = face(60, 210, 30, 120);
  expect(doubt(drawn, face(190, 150, 230, 70), true)).toBeLessThan(0.1);
  expect(doubt(drawn, drawn, true)).toBe(1);
  expect(doubt(drawn, (x, y) => 30 + 0.7 * drawn(x, y), true)).toBe(1);
});
