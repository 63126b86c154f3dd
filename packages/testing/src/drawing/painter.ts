/** Red, green and blue, 0..255. */
export type Rgb = readonly [number, number, number];

export type Painter = ReturnType<typeof createPainter>;

/**
 * Paints flat shapes into packed RGB without blending. Coordinates are fractions of the width (x) and height (y),
 * 0..1, so the same drawing has the same layout at every size. Distractors and test images need many frames: one of
 * 480x270 takes 5 ms of CPU here. The sample clips are SVG, which librsvg renders in 13 ms per frame.
 */
export function createPainter(width: number, height: number) {
  const pixels = new Uint8Array(width * height * 3);

  function fillRow(y: number, from: number, to: number, [red, green, blue]: Rgb): void {
    if (y < 0 || y >= height) return;
    const end = Math.min(width, to);
    for (let x = Math.max(0, from); x < end; x++) {
      const at = (y * width + x) * 3;
      pixels[at] = red;
      pixels[at + 1] = green;
      pixels[at + 2] = blue;
    }
  }

  /** Paints a polygon by its corners; even-odd, sampled at the middle of each pixel row. */
  function polygon(points: readonly (readonly [number, number])[], colour: Rgb): void {
    const ys = points.map(([, y]) => y * height);
    const top = Math.max(0, Math.floor(Math.min(...ys)));
    const bottom = Math.min(height, Math.ceil(Math.max(...ys)));
    const crossings: number[] = [];
    for (let row = top; row < bottom; row++) {
      const middle = (row + 0.5) / height;
      crossings.length = 0;
      for (let i = 0; i < points.length; i++) {
        const [x1, y1] = points[i] ?? [0, 0];
        const [x2, y2] = points[(i + 1) % points.length] ?? [0, 0];
        if (y1 > middle === y2 > middle) continue;
        crossings.push((x1 + ((middle - y1) / (y2 - y1)) * (x2 - x1)) * width);
      }
      crossings.sort((a, b) => a - b);
      for (let i = 0; i + 1 < crossings.length; i += 2)
        fillRow(row, Math.round(crossings[i] ?? 0), Math.round(crossings[i + 1] ?? 0), colour);
    }
  }

  return {
    raster: { width, height, pixels },
    polygon,
    /** Paints a gradient from one colour at the top to another at the bottom, between two heights. */
    gradient(top: number, bottom: number, from: Rgb, to: Rgb): void {
      const [first, last] = [Math.floor(top * height), Math.ceil(bottom * height)];
      for (let row = first; row < last; row++) {
        const share = (row - first) / Math.max(1, last - first);
        fillRow(row, 0, width, mix(from, to, share));
      }
    },
    /** Paints a gradient from one colour in the top left corner to another in the bottom right corner. */
    diagonalGradient(from: Rgb, to: Rgb): void {
      for (let y = 0; y < height; y++)
        for (let x = 0; x < width; x++) fillRow(y, x, x + 1, mix(from, to, (x / width + y / height) / 2));
    },
    rectangle(x: number, y: number, w: number, h: number, colour: Rgb): void {
      const bottom = Math.round((y + h) * height);
      for (let row = Math.round(y * height); row < bottom; row++)
        fillRow(row, Math.round(x * width), Math.round((x + w) * width), colour);
    },
    ellipse(x: number, y: number, rx: number, ry: number, colour: Rgb): void {
      const bottom = Math.ceil((y + ry) * height);
      for (let row = Math.floor((y - ry) * height); row < bottom; row++) {
        const offset = ((row + 0.5) / height - y) / ry;
        const half = rx * Math.sqrt(Math.max(0, 1 - offset * offset)) * width;
        fillRow(row, Math.round(x * width - half), Math.round(x * width + half), colour);
      }
    },
    /** Paints a straight line with a thickness (a fraction of the height). */
    line(x1: number, y1: number, x2: number, y2: number, thickness: number, colour: Rgb): void {
      const shape = width / height;
      const length = Math.hypot((x2 - x1) * shape, y2 - y1) || 1;
      const nx = ((-(y2 - y1) / length) * thickness) / 2 / shape;
      const ny = ((((x2 - x1) * shape) / length) * thickness) / 2;
      polygon(
        [
          [x1 + nx, y1 + ny],
          [x2 + nx, y2 + ny],
          [x2 - nx, y2 - ny],
          [x1 - nx, y1 - ny],
        ],
        colour,
      );
    },
  };
}

function mix(from: Rgb, to: Rgb, share: number): Rgb {
  return [
    from[0] + (to[0] - from[0]) * share,
    from[1] + (to[1] - from[1]) * share,
    from[2] + (to[2] - from[2]) * share,
  ];
}
