import { expect, it } from "vitest";
import { inspectImage, sharp } from "../src/index.ts";

const draw = (channels: 3 | 4, background: string) =>
  sharp({ create: { width: 40, height: 30, channels, background } });
const bytesPerPixel = async (webp: Buffer) => (await inspectImage(webp)).decoderBytes / (40 * 30);

it("counts only what the decoder of a WebP does not reduce", async () => {
  expect(await bytesPerPixel(await draw(3, "#c33").webp().toBuffer())).toBe(0);
  expect(await bytesPerPixel(await draw(3, "#c33").webp({ lossless: true }).toBuffer())).toBe(4);
  expect(await bytesPerPixel(await draw(4, "rgba(9, 99, 9, 0.5)").webp().toBuffer())).toBe(5);
  expect(
    await bytesPerPixel(
      await draw(3, "#c33")

        .withExif({ IFD0: { Artist: "a" } })
        .webp()
        .toBuffer(),
    ),
  ).toBe(0);
});
