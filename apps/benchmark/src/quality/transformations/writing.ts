import type { Random } from "@koma/testing/drawing";
import { drawEmoji, drawSticker } from "../drawing/emoji.ts";
import { box, disc, drawFaintly, drawOver } from "../drawing/svg.ts";
import type { DrawText } from "../drawing/text.ts";
import { fitting, japaneseLine, sentence } from "../drawing/words.ts";
import { lay, resize, surround } from "../raster/geometry.ts";
import { encodeJpeg, type Raster } from "../raster/raster.ts";
import type { Transformation } from "./transformation.ts";

/** Words, signs and other images over the frame or around it. */
export const writingTransformations: Transformation[] = [
  {
    name: "subtitles-logo",
    edit: async (frame, { random, text }) =>
      encodeJpeg(await drawOver(frame, subtitles(frame, random, text) + logo(frame, random, text)), 80),
  },
  {
    name: "japanese-subtitles",
    edit: async (frame, { random, text }) =>
      encodeJpeg(await drawOver(frame, japaneseSubtitles(frame, random, text)), 80),
  },
  {
    name: "stickers",
    async edit(frame, { random }) {
      const stickers = Array.from({ length: random.whole(2, 4) }, () =>
        drawSticker(
          random,
          frame.width * random.between(0.08, 0.92),
          frame.height * random.between(0.1, 0.9),
          frame.width * random.between(0.09, 0.16),
        ),
      );
      return encodeJpeg(await drawOver(frame, stickers.join("")), 85);
    },
  },
  {
    name: "emoji",
    async edit(frame, { random }) {
      const large = drawEmoji(
        random,
        frame.width * random.between(0.3, 0.7),
        frame.height * random.between(0.3, 0.7),
        frame.height * random.between(0.25, 0.45),
      );
      const rain = Array.from({ length: random.whole(4, 12) }, () =>
        drawEmoji(
          random,
          frame.width * random.next(),
          frame.height * random.next(),
          frame.width * random.between(0.03, 0.08),
        ),
      );
      return encodeJpeg(await drawOver(frame, (random.chance(0.5) ? large : "") + rain.join("")), 85);
    },
  },
  {
    name: "meme-caption",
    edit: async (frame, { random, text }) => encodeJpeg(await captioned(frame, random, text), 75),
  },
  {
    name: "recorder-watermark",
    async edit(frame, { random, text }) {
      const { width, height } = frame;
      const name = random.pick(["RecordMaster", "ScreenCap Free", "capture.io TRIAL", "UnregisteredRec"]);
      const mark =
        text(name, {
          x: width * random.between(0.3, 0.7),
          y: height * random.between(0.25, 0.75),
          size: width * 0.075,
          fill: "rgba(255,255,255,0.75)",
          anchor: "middle",
          isBold: true,
          outline: { colour: "rgba(0,0,0,0.4)", width: width * 0.004 },
        }) +
        box(width * 0.02, height * 0.03, width * 0.19, height * 0.075, "rgba(20,20,20,0.75)", height * 0.02) +
        disc(width * 0.045, height * 0.067, height * 0.02, "#ff3030") +
        text(`00:${random.whole(10, 59)}:${random.whole(10, 59)}`, {
          x: width * 0.07,
          y: height * 0.084,
          size: height * 0.05,
          fill: "#ffffff",
        });
      return encodeJpeg(await drawOver(frame, mark), 75);
    },
  },
  {
    name: "tiled-watermark",
    async edit(frame, { random, text }) {
      const size = frame.width * random.between(0.028, 0.045);
      const word = random.pick(["SAMPLE", "@sceneclips", "animeshots.example", "PREVIEW ONLY"]);
      const marks: string[] = [];
      for (let y = -frame.height; y < frame.height * 2; y += size * 3.2)
        for (let x = -frame.width; x < frame.width * 2; x += size * word.length * 0.85)
          marks.push(text(word, { x, y, size, fill: "#ffffff", isBold: true }));
      const turned = `<g transform="rotate(${random.whole(-40, -20)} ${frame.width / 2} ${frame.height / 2})">${marks.join("")}</g>`;
      return encodeJpeg(await drawFaintly(frame, turned, random.between(0.3, 0.55)), 80);
    },
  },
  {
    name: "picture-in-picture",
    async edit(frame, { random, unrelated }) {
      const width = frame.width * random.between(0.26, 0.36);
      const height = width * random.pick([0.5625, 0.75, 1]);
      const inset = surround(
        await resize(unrelated("camera", 480, 360), width, height),
        { top: 3, bottom: 3, left: 3, right: 3 },
        [240, 240, 240],
      );
      const margin = frame.width * 0.02;
      const x = random.chance(0.5) ? margin : frame.width - inset.width - margin;
      const y = random.chance(0.4) ? margin : frame.height - inset.height - margin;
      return encodeJpeg(lay(frame, inset, x, y), 80);
    },
  },
];

/** Adds white (or black) bands with bold lines above, and usually below. */
export async function captioned(frame: Raster, random: Random, text: DrawText): Promise<Raster> {
  const isDark = random.chance(0.25);
  const size = frame.width * random.between(0.05, 0.075);
  const lines = { top: random.whole(1, 2), bottom: random.whole(1, 2) };
  const bands = { top: size * (lines.top * 1.25 + 0.7), bottom: size * (lines.bottom * 1.25 + 0.7) };
  const page = surround(frame, bands, isDark ? [0, 0, 0] : [255, 255, 255]);
  const style = {
    x: frame.width / 2,
    size,
    fill: isDark ? "#ffffff" : "#000000",
    anchor: "middle",
    isBold: true,
  } as const;
  const words = (top: number, count: number) =>
    Array.from({ length: count }, (_, i) =>
      text(fitting(sentence(random, 5), frame.width / size), { ...style, y: top + size * (1.2 + i * 1.25) }),
    ).join("");
  return drawOver(page, words(0, lines.top) + words(Math.round(bands.top) + frame.height, lines.bottom));
}

function subtitles(frame: Raster, random: Random, text: DrawText): string {
  const size = frame.height * random.between(0.06, 0.08);
  const fill = random.pick(["#ffffff", "#ffffff", "#ffee33"]);
  const lines = random.whole(1, 2);
  return Array.from({ length: lines }, (_, i) =>
    text(fitting(sentence(random, 8), frame.width / size), {
      x: frame.width / 2,
      y: frame.height - size * (0.7 + (lines - 1 - i) * 1.2),
      size,
      fill,
      anchor: "middle",
      isBold: random.chance(0.5),
      outline: { colour: "#000000", width: size * 0.14 },
    }),
  ).join("");
}

function japaneseSubtitles(frame: Raster, random: Random, text: DrawText): string {
  const size = frame.height * random.between(0.065, 0.09);
  const outline = { colour: "#000000", width: size * 0.15 };
  const line = japaneseLine(random);
  if (random.chance(0.7))
    return text(line, {
      x: frame.width / 2,
      y: frame.height - size * 0.7,
      size,
      fill: "#ffffff",
      anchor: "middle",
      isBold: true,
      outline,
    });
  // Vertical, as in older broadcasts.
  return [...line]
    .map((letter, i) =>
      text(letter, {
        x: frame.width - size * 1.2,
        y: size * (1.6 + i * 1.08),
        size,
        fill: "#ffffff",
        anchor: "middle",
        isBold: true,
        outline,
      }),
    )
    .join("");
}

function logo(frame: Raster, random: Random, text: DrawText): string {
  const size = frame.height * 0.06;
  const x = frame.width * random.pick([0.03, 0.86]);
  return (
    `<g opacity="0.8">${box(x, size * 0.6, size * 1.9, size * 1.2, random.pick(["#d22630", "#1769ff", "#1db954"]), size * 0.3)}` +
    `${text(random.pick(["TV8", "AX", "MX", "K5"]), { x: x + size * 0.95, y: size * 1.5, size: size * 0.8, fill: "#ffffff", anchor: "middle", isBold: true })}</g>`
  );
}
