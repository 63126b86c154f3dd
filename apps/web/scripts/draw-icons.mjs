// Draws the icons and the image of link previews in `src/public` from the shapes of favicon.svg. The files are
// in the repository; run this after a change of the shapes.
import { readFile, writeFile } from "node:fs/promises";
import { sharp } from "@koma/image";

const folder = new URL("../src/public/", import.meta.url);
const svg = await readFile(new URL("favicon.svg", folder), "utf8");
const [background, ...shapes] = svg.match(/<(?:rect|path)[^>]*\/>/g);
const strip = "#17161a";

/** The icon with its round corners. */
const draw = (size) => sharp(Buffer.from(svg), { density: (72 * size) / 32 }).resize(size, size);

/** The shapes in a part of a full rectangle, which systems cut to their own form. */
function drawFull({ width, height = width, part }) {
  const side = Math.min(width, height) * part;
  const transform = `translate(${(width - side) / 2} ${(height - side) / 2}) scale(${side / 32})`;
  const size = `width="${width}" height="${height}"`;
  const full = `<rect ${size} fill="${strip}"/><g transform="${transform}">${shapes.join("")}</g>`;
  return sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${size}>${full}</svg>`));
}

/** An ICO file with one PNG (https://learn.microsoft.com/en-us/previous-versions/ms997538(v=msdn.10)). */
function writeIco(png, size) {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(size, 6);
  head.writeUInt8(size, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}

if (background === undefined) throw new Error("favicon.svg has no background.");
const png = (image) => image.png({ palette: true, compressionLevel: 9 }).toBuffer();
const files = {
  "icon-192.png": await png(draw(192)),
  "icon-512.png": await png(draw(512)),
  // The safe zone is a circle with 80 % of the width (https://w3c.github.io/manifest/#icon-masks).
  "icon-maskable-512.png": await png(drawFull({ width: 512, part: 0.62 })),
  "apple-touch-icon.png": await png(drawFull({ width: 180, part: 0.84 })),
  "link-preview.png": await png(drawFull({ width: 1200, height: 630, part: 0.8 })),
  "favicon.ico": writeIco(await png(draw(32)), 32),
};
for (const [name, bytes] of Object.entries(files)) await writeFile(new URL(name, folder), bytes);
