import { takeImage } from "@koma/bot-core/testing/take-image";
import { findChromium } from "@koma/testing";
import sharp from "sharp";
import { expect, test } from "vitest";
import { writeCard } from "../fixtures/write-card.ts";

test.skipIf(findChromium() === undefined)("Chromium renders the image", async () => {
  const image = await takeImage(await writeCard());
  if (process.env.KOMA_TEST_PICTURES) await sharp(image).toFile(`${process.env.KOMA_TEST_PICTURES}/card.png`);
  const { width, height } = await sharp(image).metadata();
  expect(width).toBe(720);
  expect(height).toBeGreaterThan(300);
  const { channels } = await sharp(image).stats();
  expect(channels[0]?.max).toBeGreaterThan(0xb0);
});
