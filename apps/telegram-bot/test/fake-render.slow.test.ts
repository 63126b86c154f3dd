import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { takeImages } from "@koma/bot-core/testing/take-image";
import { findChromium } from "@koma/testing";
import sharp from "sharp";
import { expect, it } from "vitest";
import { drawChat } from "./fixtures/draw-chat.ts";

it.skipIf(findChromium() === undefined)("uses dark colours in the dark theme", async () => {
  const images = await takeImages(await drawChat(), { width: 480 });
  const sizes = await Promise.all(images.map((image) => sharp(image).stats()));
  expect((sizes[0]?.channels[0]?.mean ?? 0) > (sizes[1]?.channels[0]?.mean ?? 255)).toBe(true);
  const folder = process.env.KOMA_TEST_PICTURES;
  if (folder)
    for (const [index, image] of images.entries())
      await writeFile(join(folder, `telegram-chat-${index}.png`), image);
});
