import { createPainter, createRandom, type Painter, type Random } from "@koma/testing/drawing";
import type { Raster } from "../raster/raster.ts";
import { createPalette, type Palette } from "./palette.ts";

type Draw = (paint: Painter, palette: Palette, random: Random) => void;

/** Draws a scene that is in no video: the same seed draws the same scene at every size. */
export function drawScene(seed: string, width: number, height: number): Raster {
  const random = createRandom(`scene ${seed}`);
  const palette = createPalette(random);
  const paint = createPainter(width, height);
  const backgrounds: [Draw, ...Draw[]] = [landscape, landscape, room, city, burst, sea, plain];
  random.pick(backgrounds)(paint, palette, random);
  const figures = random.pick([0, 1, 1, 1, 2, 2, 3]);
  for (let i = 0; i < figures; i++) figure(paint, palette, random, figures === 1 && random.chance(0.4));
  if (random.chance(0.3)) foreground(paint, palette, random);
  return paint.raster;
}

const landscape: Draw = (paint, palette, random) => {
  const horizon = random.between(0.3, 0.75);
  paint.gradient(0, 1, palette.colour(random.between(0.4, 0.8)), palette.colour(random.between(0.6, 0.95)));
  if (random.chance(0.5)) {
    const radius = random.between(0.03, 0.12);
    paint.ellipse(random.next(), random.between(0, horizon), radius, radius * 1.7, palette.colour(0.9));
  }
  for (let i = random.whole(0, 5); i > 0; i--) {
    const [x, y] = [random.next(), random.between(0, horizon)];
    const colour = palette.colour(0.9);
    for (let k = 0; k < 3; k++)
      paint.ellipse(x + k * 0.05, y + random.between(-0.02, 0.02), 0.06, 0.05, colour);
  }
  const ridges = random.whole(2, 4);
  for (let i = 0; i < ridges; i++) {
    const base = horizon + ((1 - horizon) * i) / ridges;
    const steps = random.whole(3, 9);
    const height = random.between(0.05, 0.3);
    const points = Array.from(
      { length: steps + 1 },
      (_, k) => [k / steps, base - random.next() * height] as const,
    );
    paint.polygon([...points, [1, 1], [0, 1]], palette.colour(0.65 - i * random.between(0.08, 0.16)));
  }
  for (let i = random.whole(0, 7); i > 0; i--) {
    const [x, y, size] = [random.next(), random.between(horizon, 1), random.between(0.08, 0.35)];
    paint.rectangle(x - size * 0.05, y - size, size * 0.1, size, palette.colour(0.25));
    paint.ellipse(x, y - size, size * 0.3, size * 0.45, palette.colour(random.between(0.25, 0.5)));
  }
};

const room: Draw = (paint, palette, random) => {
  const [left, right, top, bottom] = [
    random.between(0.05, 0.35),
    random.between(0.65, 0.95),
    random.between(0.02, 0.25),
    random.between(0.6, 0.85),
  ];
  paint.gradient(0, 1, palette.colour(0.8), palette.colour(0.6));
  paint.polygon(
    [
      [0, 1],
      [left, bottom],
      [right, bottom],
      [1, 1],
    ],
    palette.colour(0.4),
  );
  paint.polygon(
    [
      [0, 0],
      [left, top],
      [left, bottom],
      [0, 1],
    ],
    palette.colour(0.55),
  );
  paint.polygon(
    [
      [1, 0],
      [right, top],
      [right, bottom],
      [1, 1],
    ],
    palette.colour(0.5),
  );
  for (let i = random.whole(1, 3); i > 0; i--) {
    const [x, y] = [random.between(left, right - 0.15), random.between(top, 0.4)];
    const [w, h] = [random.between(0.08, 0.25), random.between(0.12, 0.3)];
    paint.rectangle(x - 0.01, y - 0.015, w + 0.02, h + 0.03, palette.colour(0.25));
    paint.rectangle(x, y, w, h, palette.colour(0.9));
    paint.rectangle(x + w / 2 - 0.005, y, 0.01, h, palette.colour(0.25));
  }
  for (let i = random.whole(1, 5); i > 0; i--) {
    const [w, h] = [random.between(0.08, 0.4), random.between(0.08, 0.35)];
    paint.rectangle(
      random.between(0, 1 - w),
      bottom + random.between(-0.1, 0.2) - h / 2,
      w,
      h,
      palette.colour(random.between(0.2, 0.6)),
    );
  }
};

const city: Draw = (paint, palette, random) => {
  paint.gradient(0, 1, palette.colour(random.between(0.15, 0.7)), palette.colour(random.between(0.3, 0.9)));
  for (let layer = 0; layer < 2; layer++) {
    let x = random.between(-0.1, 0);
    while (x < 1) {
      const [w, top] = [random.between(0.06, 0.22), random.between(0.1 + layer * 0.2, 0.75)];
      paint.rectangle(x, top, w, 1 - top, palette.colour(0.5 - layer * 0.25));
      const lit = palette.colour(0.85);
      const [columns, rows] = [random.whole(2, 4), random.whole(3, 9)];
      for (let i = 0; i < columns * rows; i++) {
        if (random.chance(0.5)) continue;
        const column = i % columns;
        const row = Math.floor(i / columns);
        paint.rectangle(
          x + (w * (column + 0.25)) / columns,
          top + 0.03 + row * 0.06,
          (w * 0.5) / columns,
          0.03,
          lit,
        );
      }
      x += w + random.between(0, 0.05);
    }
  }
};

const burst: Draw = (paint, palette, random) => {
  paint.gradient(0, 1, palette.colour(0.75), palette.colour(0.6));
  const [x, y] = [random.between(0.2, 0.8), random.between(0.2, 0.8)];
  const rays = random.whole(10, 30);
  for (let i = 0; i < rays; i++) {
    const angle = (i / rays) * Math.PI * 2;
    const wide = random.between(0.02, 0.12);
    paint.polygon(
      [
        [x, y],
        [x + Math.cos(angle) * 2, y + Math.sin(angle) * 2],
        [x + Math.cos(angle + wide) * 2, y + Math.sin(angle + wide) * 2],
      ],
      palette.colour(random.between(0.3, 0.95)),
    );
  }
  const radius = random.between(0.05, 0.25);
  paint.ellipse(x, y, radius, radius * 1.6, palette.colour(0.9));
};

const sea: Draw = (paint, palette, random) => {
  const horizon = random.between(0.25, 0.65);
  paint.gradient(0, horizon, palette.colour(0.5), palette.colour(0.9));
  paint.gradient(horizon, 1, palette.colour(0.55), palette.colour(0.25));
  for (let i = random.whole(8, 40); i > 0; i--) {
    const [x, y] = [random.next(), random.between(horizon, 1)];
    const length = 0.02 + (y - horizon) * random.between(0.1, 0.4);
    paint.line(x, y, x + length, y, 0.004 + (y - horizon) * 0.02, palette.colour(0.8));
  }
  if (random.chance(0.6)) {
    const [x, size] = [random.between(0.1, 0.9), random.between(0.05, 0.25)];
    paint.polygon(
      [
        [x - size, horizon],
        [x + size, horizon],
        [x + size * 0.7, horizon + size * 0.5],
        [x - size * 0.7, horizon + size * 0.5],
      ],
      palette.colour(0.3),
    );
    paint.polygon(
      [
        [x, horizon],
        [x, horizon - size * 1.6],
        [x + size * 0.7, horizon - size * 0.2],
      ],
      palette.colour(0.85),
    );
  }
};

const plain: Draw = (paint, palette, random) => {
  paint.gradient(0, 1, palette.colour(random.between(0.2, 0.95)), palette.colour(random.between(0.2, 0.95)));
  for (let i = random.whole(2, 14); i > 0; i--) {
    const colour = palette.colour(random.between(0.1, 0.95));
    const [x, y, w, h] = [
      random.next(),
      random.next(),
      random.between(0.03, 0.35),
      random.between(0.03, 0.35),
    ];
    if (random.chance(0.4)) paint.ellipse(x, y, w, h, colour);
    else if (random.chance(0.5)) paint.rectangle(x - w / 2, y - h / 2, w, h, colour);
    else paint.line(x, y, random.next(), random.next(), random.between(0.01, 0.08), colour);
  }
};

/** Draws a simple character of cel animation: outlined body, head, hair, two eyes and a mouth. */
function figure(paint: Painter, palette: Palette, random: Random, isClose: boolean): void {
  const size = isClose ? random.between(0.5, 0.9) : random.between(0.12, 0.4);
  const shape = paint.raster.height / paint.raster.width;
  const [x, y] = [random.between(0.15, 0.85), isClose ? random.between(0.4, 0.6) : random.between(0.3, 0.75)];
  const [rx, ry] = [size * 0.42 * shape, size * 0.5];
  const rim = 0.006 + size * 0.015;
  const [skin, hair, cloth] = [
    random.chance(0.5) ? ([244, 206, 178] as const) : palette.colour(0.8),
    palette.colour(random.between(0.1, 0.6)),
    palette.colour(random.between(0.2, 0.8)),
  ];
  const lean = random.between(-0.3, 0.3) * rx;
  const body = (grow: number, colour: typeof skin) =>
    paint.polygon(
      [
        [x - rx * 0.5 - grow, y + ry * 0.8],
        [x + rx * 0.5 + grow, y + ry * 0.8],
        [x + rx * 1.4 + grow, y + ry * 4],
        [x - rx * 1.4 - grow, y + ry * 4],
      ],
      colour,
    );
  body(rim, palette.ink);
  body(0, cloth);
  paint.ellipse(x, y - ry * 0.15, rx * 1.2 + rim, ry * 1.15 + rim, palette.ink);
  paint.ellipse(x, y - ry * 0.15, rx * 1.2, ry * 1.15, hair);
  paint.ellipse(x + lean, y + ry * 0.12, rx, ry * 0.85, skin);
  for (let i = random.whole(2, 5); i > 0; i--) {
    const at = x + random.between(-1, 1) * rx;
    paint.polygon(
      [
        [at - rx * 0.3, y - ry * 0.9],
        [at + rx * 0.3, y - ry * 0.9],
        [at + random.between(-0.4, 0.4) * rx, y - ry * random.between(0, 0.3)],
      ],
      hair,
    );
  }
  const open = random.between(0.05, 0.28);
  for (const side of [-1, 1]) {
    paint.ellipse(x + lean + side * rx * 0.42, y + ry * 0.15, rx * 0.2, ry * open, palette.ink);
    paint.ellipse(x + lean + side * rx * 0.38, y + ry * 0.1, rx * 0.07, ry * open * 0.4, [250, 250, 250]);
  }
  paint.ellipse(
    x + lean,
    y + ry * 0.62,
    rx * random.between(0.08, 0.3),
    ry * random.between(0.02, 0.14),
    palette.ink,
  );
}

function foreground(paint: Painter, palette: Palette, random: Random): void {
  const colour = palette.colour(random.between(0.05, 0.35));
  const side = random.chance(0.5) ? 0 : 1;
  const reach = random.between(0.08, 0.3);
  paint.polygon(
    [
      [side, random.between(0, 0.6)],
      [Math.abs(side - reach), random.between(0.5, 1)],
      [Math.abs(side - reach * random.between(0.5, 2)), 1],
      [side, 1],
    ],
    colour,
  );
}
