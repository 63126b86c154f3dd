// Draws the example images of the page (src/examples) from a frame of the sample library:
// npm run examples -w @koma/web -- DATA_FOLDER/sample/example.jpg
import { fileURLToPath } from "node:url";
import { sharp } from "@koma/image";

const [frame] = process.argv.slice(2);
if (frame === undefined) {
  console.error("Usage: draw-examples.mjs FRAME.jpg");
  process.exit(1);
}
const folder = fileURLToPath(new URL("../src/examples/", import.meta.url));
const [width, height] = [320, 180];

const whole = () => sharp(frame).resize(width, height, { fit: "cover" });
const draw = (shapes) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${shapes}</svg>`);
const write = (image, name) => image.webp({ quality: 72 }).toFile(`${folder}${name}.webp`);

await write(whole(), "whole");
await write(
  whole().composite([
    {
      input: draw(`<text x="160" y="166" text-anchor="middle" font-family="DejaVu Sans" font-weight="bold"
        font-size="17" fill="#fff" stroke="#000" stroke-width="3" paint-order="stroke">We have to go back.</text>`),
    },
  ]),
  "caption",
);

const room = draw(
  `<rect width="320" height="180" fill="#2b2723"/><rect x="38" y="18" width="244" height="144" rx="6" fill="#0b0b0d"/>
  <rect y="168" width="320" height="12" fill="#4b3a2c"/>`,
);
const screen = await whole().resize(230, 130).modulate({ brightness: 0.9 }).toBuffer();
await write(sharp(room).composite([{ input: screen, left: 45, top: 25 }]), "screen");

const tiny = await whole().resize(24, 14).blur(1).toBuffer();
await write(sharp(tiny).resize(width, height, { kernel: "cubic", fit: "fill" }).blur(4), "blurred");

const stickers = draw(
  `<rect x="70" y="6" width="236" height="168" rx="18" fill="#f2c230"/><circle cx="188" cy="90" r="60" fill="#fff6d8"/>
  <circle cx="168" cy="78" r="7"/><circle cx="208" cy="78" r="7"/>
  <path d="M158 102q30 30 60 0" fill="none" stroke="#000" stroke-width="6"/>
  <rect x="4" y="100" width="60" height="70" rx="8" fill="#d3462f"/>`,
);
await write(whole().composite([{ input: stickers }]), "covered");

const sketch = draw(
  `<rect width="320" height="180" fill="#fbf8f1"/>
  <g fill="none" stroke="#333" stroke-width="2.5" stroke-linecap="round">
  <path d="M112 170q-6-60 2-96q10-46 52-44q44 2 48 50q4 34-6 90"/>
  <path d="M124 86q4-36 42-38q36 0 38 36q2 44-38 50q-36-2-42-48z"/>
  <path d="M138 84q8-8 16 0M178 84q8-8 16 0M152 112q12 10 26-2M160 94l4 6"/>
  <path d="M96 170q24-24 60-26q44 2 70 28M130 40l-8-14M190 40l10-12"/></g>
  <circle cx="146" cy="90" r="5" fill="#333"/><circle cx="186" cy="90" r="5" fill="#333"/>
  <path d="M60 40l10 12M62 130l14-6M262 60l-12 8M270 140l-14-8" stroke="#bbb" stroke-width="2"/>`,
);
await write(sharp(sketch), "drawing");
