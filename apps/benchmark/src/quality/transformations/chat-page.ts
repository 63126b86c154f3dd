import { statusBar } from "../drawing/devices.ts";
import { box, disc, drawOver, drawPage, stroke } from "../drawing/svg.ts";
import { fitting, handle, sentence } from "../drawing/words.ts";
import { lay, resizeToWidth } from "../raster/geometry.ts";
import type { Raster } from "../raster/raster.ts";
import type { EditContext } from "./transformation.ts";

const [width, height, header, footer] = [720, 1400, 140, 100];

/**
 * Draws a chat of a phone in dark mode: bubbles of both sides, the frame as one of them, sometimes another
 * image below.
 */
export async function drawChat(frame: Raster, { random, text, unrelated }: EditContext): Promise<Raster> {
  const ground = random.pick(["#0e1621", "#111b21", "#000000", "#313338"]);
  const mine = random.pick(["#2b5278", "#005c4b", "#5865f2"]);
  const theirs = random.pick(["#182533", "#202c33", "#2b2d31"]);
  let page = await drawPage(width, height, ground, "");
  let y = header + random.whole(16, 60);

  async function writeBubble(isMine: boolean): Promise<void> {
    const lines = random.whole(1, 2);
    const words = Array.from({ length: lines }, () => fitting(sentence(random, 5), 500 / 28));
    const bubble = Math.min(560, Math.max(...words.map((line) => line.length)) * 17 + 60);
    const x = isMine ? width - bubble - 24 : 90;
    const tall = lines * 38 + 34;
    page = await drawOver(
      page,
      (isMine ? "" : disc(46, y + tall - 30, 28, `hsl(${random.whole(0, 359)},55%,55%)`)) +
        box(x, y, bubble, tall, isMine ? mine : theirs, 22) +
        words
          .map((line, i) => text(line, { x: x + 24, y: y + 42 + i * 38, size: 28, fill: "#e9edef" }))
          .join("") +
        text(clock(), { x: x + bubble - 16, y: y + tall - 8, size: 17, fill: "#8fa3b0", anchor: "end" }),
    );
    y += tall + random.whole(12, 26);
  }
  async function show(image: Raster, wide: number, isMine: boolean): Promise<void> {
    const scaled = await resizeToWidth(image, wide);
    const x = isMine ? width - wide - 30 : 96;
    page = await drawOver(page, box(x - 6, y, wide + 12, scaled.height + 12, isMine ? mine : theirs, 22));
    page = lay(page, scaled, x, y + 6, 18);
    page = await drawOver(
      page,
      box(x + wide - 92, y + scaled.height - 34, 80, 30, "rgba(0,0,0,0.5)", 15) +
        text(clock(), {
          x: x + wide - 52,
          y: y + scaled.height - 12,
          size: 19,
          fill: "#ffffff",
          anchor: "middle",
        }),
    );
    y += scaled.height + random.whole(26, 40);
  }
  const clock = () => `${random.whole(10, 23)}:${random.whole(10, 59)}`;

  for (let i = random.whole(1, 3); i > 0; i--) await writeBubble(random.chance(0.5));
  await show(frame, random.whole(440, 580), random.chance(0.5));
  await writeBubble(true);
  if (random.chance(0.4)) await show(unrelated("chat", 400, 300), random.whole(240, 340), false);
  while (y < height - footer - 120) await writeBubble(random.chance(0.5));
  return drawOver(
    page,
    box(0, 0, width, header, theirs) +
      statusBar(text, width, 48, "#ffffff", random) +
      stroke("M40 78L22 94L40 110", 5, "#e9edef") +
      disc(100, 94, 32, `hsl(${random.whole(0, 359)},50%,50%)`) +
      text(handle(random), { x: 152, y: 92, size: 30, fill: "#ffffff", isBold: true }) +
      text("online", { x: 152, y: 122, size: 22, fill: "#8fa3b0" }) +
      box(0, height - footer, width, footer, theirs) +
      box(80, height - footer + 18, width - 190, 64, ground, 32) +
      text("Message", { x: 112, y: height - footer + 60, size: 28, fill: "#8fa3b0" }) +
      disc(width - 56, height - footer + 50, 32, mine),
  );
}
