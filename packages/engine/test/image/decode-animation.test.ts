import { sharp } from "@koma/image";
import { fadingAvif } from "@koma/image/testing/fading-avif";
import { writeApng } from "@koma/image/testing/write-apng";
import { writeAvifSequence } from "@koma/image/testing/write-avif-sequence";
import { expect, it } from "vitest";
import { decodeImage } from "../../src/image/decode-image.ts";
import { createAnimation } from "../fixtures/create-animation.ts";
import { drawImage } from "../fixtures/drawn-scenes.ts";

const size = { width: 320, height: 180 };
const drawBlack = () => sharp({ create: { ...size, channels: 3, background: "#000" } });
const drawn = [drawBlack(), drawBlack(), drawImage(1), drawBlack()];

it.each([
  [
    "GIF",
    async () =>
      (await createAnimation(["#000", "#000", 1, "#000"])).gif({ delay: [100, 100, 100, 100] }).toBuffer(),
    16,
  ],
  ["PNG", () => writeApng(drawn.map((image) => ({ image }))), 0],
  ["AVIF", () => writeAvifSequence(drawn), 8],
] as const)("chooses the frame with most detail of an animated %s", async (_name, create, tolerance) => {
  const decoded = await decodeImage(await create());
  expect(decoded).toMatchObject({ ...size, frameAtSeconds: 0.2 });
  const { pixels } = (await decodeImage(await drawImage(1).png().toBuffer())).raster;
  const difference = pixels.reduce(
    (sum, value, at) => sum + Math.abs(value - (decoded.raster.pixels[at] ?? 0)),
    0,
  );
  expect(difference / pixels.length).toBeLessThanOrEqual(tolerance);
});

it("draws the frames of an animated PNG over each other", async () => {
  const frames = [{ image: drawBlack() }, { image: drawImage(1, 160, 180), left: 160 }];
  const { raster, frameAtSeconds } = await decodeImage(await writeApng(frames));
  expect(frameAtSeconds).toBe(0.1);
  expect([...raster.pixels.subarray(0, 3)]).toEqual([0, 0, 0]);
  const inside = (90 * 320 + 240) * 3;
  expect(Math.max(...raster.pixels.subarray(inside, inside + 3))).toBeGreaterThan(0);
});

it("decodes frames of an AVIF that refer to others", async () => {
  expect(await decodeImage(fadingAvif)).toMatchObject({ width: 64, height: 36, frameAtSeconds: 0 });
});

it("chooses among the first frames of a long animation of large frames", async () => {
  // Two frames, evenly distributed over the animation, would need 62 decoded frames of 1.8 million pixels.
  const large = { width: 1800, height: 1000 };
  const black = await drawBlack()
    .resize({ ...large, fit: "fill" })
    .png()
    .toBuffer();
  const scene = await drawImage(1, large.width, large.height).png().toBuffer();
  const frames = Array.from({ length: 60 }, (_, frame) => ({ image: sharp(frame < 2 ? black : scene) }));
  const { frameAtSeconds } = await decodeImage(await writeApng(frames));
  expect(frameAtSeconds).toBeGreaterThan(0.2);
  expect(frameAtSeconds).toBeLessThan(5.5);
});

it.each([
  ["an animated PNG", async () => writeApng(drawn.map((image) => ({ image }))), "fdAT"],
  ["an animated AVIF", async () => writeAvifSequence(drawn), "mdat"],
])("rejects %s with corrupt frames", async (_name, create, box) => {
  const file = await create();
  const from = file.lastIndexOf(box) + 12;
  file.fill(0xff, from, from + 40);
  await expect(decodeImage(file)).rejects.toMatchObject({ code: "image_unreadable" });
});
