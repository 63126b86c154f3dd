import { playerControls, statusBar } from "../drawing/devices.ts";
import { box, disc, drawOver, drawPage, fixed, stroke } from "../drawing/svg.ts";
import { fitting, handle, sentence } from "../drawing/words.ts";
import { cropToShape, lay, resize, resizeToWidth } from "../raster/geometry.ts";
import { encodeJpeg, type Raster } from "../raster/raster.ts";
import { drawChat } from "./chat-page.ts";
import type { EditContext, Transformation } from "./transformation.ts";

/** Screenshots of pages that contain the frame among other content. */
export const pageTransformations: Transformation[] = [
  {
    name: "phone-player",
    edit: async (frame, context) => encodeJpeg(await drawPlayerPage(frame, context), 82),
  },
  {
    name: "social-post",
    edit: async (frame, context) => encodeJpeg(await drawPost(frame, context), 82),
  },
  {
    name: "dark-chat",
    edit: async (frame, context) => encodeJpeg(await drawChat(frame, context), 82),
  },
  {
    name: "collage",
    showsOther: true,
    async edit(frame, { random, other }) {
      const isStacked = random.chance(0.6);
      const gap = random.pick([0, 6, 14]);
      const [first, second] = random.chance(0.5) ? [frame, other] : [other, frame];
      const [a, b] = isStacked
        ? [await resizeToWidth(first, 960), await resizeToWidth(second, 960)]
        : [
            await resize(first, (first.width * 480) / first.height, 480),
            await resize(second, (second.width * 480) / second.height, 480),
          ];
      const [width, height] = isStacked ? [960, a.height + gap + b.height] : [a.width + gap + b.width, 480];
      const page = await drawPage(width, height, random.pick(["#ffffff", "#000000"]), "");
      const both = lay(lay(page, a, 0, 0), b, isStacked ? 0 : a.width + gap, isStacked ? a.height + gap : 0);
      return encodeJpeg(both, 80);
    },
  },
];

async function drawPlayerPage(frame: Raster, { random, text, unrelated }: EditContext): Promise<Raster> {
  const [width, height] = [720, random.pick([1280, 1480, 1560])];
  const isDark = random.chance(0.5);
  const [ground, ink, faint] = isDark
    ? (["#0f0f0f", "#f1f1f1", "#8a8a8a"] as const)
    : (["#ffffff", "#0f0f0f", "#606060"] as const);
  const bar = 48;
  const image = await resize(frame, width, (width * frame.height) / frame.width);
  const top = bar + (random.chance(0.3) ? 70 : 0);
  const below = top + image.height;
  const title = { x: 24, size: 32, fill: ink, isBold: true } as const;
  const buttons = [0, 1, 2, 3].map(
    (i) =>
      box(24 + i * 172, below + 196, 156, 60, isDark ? "#272727" : "#f0f0f0", 30) +
      text(["Like", "Share", "Save", "Clip"][i] ?? "", {
        x: 80 + i * 172,
        y: below + 236,
        size: 26,
        fill: ink,
      }),
  );
  const body =
    (top > bar
      ? text("Anime Clips", { x: 28, y: bar + 46, size: 30, fill: ink, isBold: true }) +
        disc(660, bar + 35, 20, "#7b61ff")
      : "") +
    text(fitting(sentence(random, 5), 660 / 32), { ...title, y: below + 50 }) +
    text(sentence(random, 4), { ...title, y: below + 90 }) +
    text(`${random.whole(2, 900)}K views  ${random.whole(1, 11)} months ago`, {
      x: 24,
      y: below + 128,
      size: 23,
      fill: faint,
    }) +
    disc(52, below + 164, 22, `hsl(${random.whole(0, 359)},60%,50%)`) +
    text(handle(random), { x: 88, y: below + 172, size: 26, fill: ink }) +
    box(564, below + 140, 132, 48, ink, 24) +
    text("Follow", { x: 630, y: below + 172, size: 24, fill: ground, anchor: "middle" }) +
    buttons.join("") +
    statusBar(text, width, bar, top > bar || isDark ? ink : "#ffffff", random);
  let page = await drawPage(
    width,
    height,
    ground,
    box(0, 0, width, bar, isDark || top > bar ? ground : "#000000") + body,
  );
  page = lay(page, image, 0, top);
  for (let i = 0; below + 290 + i * 190 < height; i++) {
    const y = below + 290 + i * 190;
    page = lay(page, unrelated(`thumbnail ${i}`, 300, 168), 24, y, 12);
    page = await drawOver(
      page,
      text(sentence(random, 3), { x: 344, y: y + 42, size: 26, fill: ink }) +
        text(sentence(random, 3), { x: 344, y: y + 76, size: 26, fill: ink }) +
        text(handle(random), { x: 344, y: y + 114, size: 22, fill: faint }),
    );
  }
  if (random.chance(0.75))
    page = await drawOver(page, playerControls(text, { x: 0, y: top, width, height: image.height }, random));
  return page;
}

async function drawPost(frame: Raster, { random, text, unrelated }: EditContext): Promise<Raster> {
  const width = 750;
  const isDark = random.chance(0.5);
  const [ground, ink, faint] = isDark
    ? (["#15202b", "#f7f9f9", "#8b98a5"] as const)
    : (["#ffffff", "#0f1419", "#536471"] as const);
  const inset = random.pick([0, 24, 112]);
  const imageWidth = width - inset - (inset === 0 ? 0 : 24);
  // Feeds crop tall or wide images to their own aspect ratio.
  const cut = random.chance(0.4) ? cropToShape(frame, random.pick([1, 1.25, 1.91])) : frame;
  const image = await resizeToWidth(cut, imageWidth);
  const lines = random.whole(1, 3);
  const top = 150 + lines * 40;
  const bottom = top + image.height;
  const replies = random.whole(0, 2);
  const height = Math.round(bottom + 150 + replies * 130);
  const sign = (x: number, path: string) =>
    `<g transform="translate(${fixed(x)} ${fixed(bottom + 70)})">${stroke(path, 3.5, faint)}</g>` +
    text(`${random.whole(1, 999)}`, { x: x + 30, y: bottom + 78, size: 24, fill: faint });
  const written = Array.from({ length: lines }, (_, i) =>
    text(fitting(sentence(random, 7), (width - Math.max(28, inset) - 20) / 30), {
      x: Math.max(28, inset),
      y: 148 + i * 40,
      size: 30,
      fill: ink,
    }),
  );
  const body =
    text(handle(random), { x: 118, y: 62, size: 30, fill: ink, isBold: true }) +
    text(`@${handle(random).replaceAll(" ", "")} · ${random.whole(2, 23)}h`, {
      x: 118,
      y: 98,
      size: 26,
      fill: faint,
    }) +
    text("···", { x: 700, y: 62, size: 34, fill: faint, anchor: "end" }) +
    written.join("") +
    sign(40, "M-14 -10H14V8H-2L-10 16V8H-14Z") +
    sign(220, "M-14 8V-6H10M4 -12L10 -6L4 0M14 -4V10H-10") +
    sign(400, "M0 14C-26 -4 -14 -18 0 -8C14 -18 26 -4 0 14Z") +
    sign(580, "M-12 12V0M-4 12V-8M4 12V-2M12 12V-14") +
    stroke(`M0 ${bottom + 120}H${width}`, 1.5, isDark ? "#38444d" : "#e1e8ed");
  let page = await drawPage(width, height, ground, body);
  page = lay(page, image, inset, top, inset === 0 ? 0 : 24);
  page = lay(page, unrelated("avatar", 76, 76), 26, 28, 38);
  for (let i = 0; i < replies; i++) {
    const y = bottom + 140 + i * 130;
    page = lay(page, unrelated(`reply ${i}`, 64, 64), 30, y, 32);
    page = await drawOver(
      page,
      text(handle(random), { x: 112, y: y + 28, size: 26, fill: ink, isBold: true }) +
        text(fitting(sentence(random, 8), 610 / 27), { x: 112, y: y + 66, size: 27, fill: ink }),
    );
  }
  return page;
}
