import type { Random } from "@koma/testing/drawing";
import { box, disc, fixed, stroke } from "./svg.ts";
import type { DrawText } from "./text.ts";

/** Draws the bar at the top of a phone: time, signal, battery. */
export function statusBar(
  text: DrawText,
  width: number,
  height: number,
  colour: string,
  random: Random,
): string {
  const time = `${random.whole(0, 23)}:${String(random.whole(0, 59)).padStart(2, "0")}`;
  const unit = height / 10;
  const right = width - unit * 6;
  const bars = [0, 1, 2, 3].map((i) =>
    box(right - unit * (16 - i * 2), height * 0.7 - unit * (i + 1), unit * 1.2, unit * (i + 1), colour),
  );
  return (
    text(time, { x: unit * 6, y: height * 0.72, size: height * 0.42, fill: colour, isBold: true }) +
    bars.join("") +
    `<rect x="${fixed(right - unit * 4)}" y="${fixed(height * 0.34)}" width="${fixed(unit * 7)}" height="${fixed(unit * 3.6)}" rx="${fixed(unit)}" fill="none" stroke="${colour}" stroke-width="${fixed(unit * 0.5)}"/>` +
    box(right - unit * 3.4, height * 0.4, unit * random.between(2, 5.8), unit * 2.4, colour)
  );
}

/**
 * Draws the controls of a player over its image: a shade, play or pause, a bar with the position, times,
 * buttons.
 */
export function playerControls(
  text: DrawText,
  area: { x: number; y: number; width: number; height: number },
  random: Random,
): string {
  const { x, y, width, height } = area;
  const middle = [x + width / 2, y + height / 2] as const;
  const unit = Math.min(width / 16, height / 9);
  const barY = y + height - unit * 0.5;
  const position = random.between(0.1, 0.9);
  const symbol = random.chance(0.5)
    ? box(middle[0] - unit * 0.5, middle[1] - unit * 0.55, unit * 0.32, unit * 1.1, "#ffffff") +
      box(middle[0] + unit * 0.18, middle[1] - unit * 0.55, unit * 0.32, unit * 1.1, "#ffffff")
    : `<path d="M${fixed(middle[0] - unit * 0.4)} ${fixed(middle[1] - unit * 0.6)}L${fixed(middle[0] + unit * 0.65)} ${fixed(middle[1])}L${fixed(middle[0] - unit * 0.4)} ${fixed(middle[1] + unit * 0.6)}Z" fill="#ffffff"/>`;
  const skip = [-1, 1]
    .map((side) => {
      const at = middle[0] + side * unit * 3;
      return stroke(
        `M${fixed(at)} ${fixed(middle[1] - unit * 0.45)}A${fixed(unit * 0.45)} ${fixed(unit * 0.45)} 0 1 ${side > 0 ? 1 : 0} ${fixed(at - side * unit * 0.4)} ${fixed(middle[1] - unit * 0.2)}`,
        unit * 0.14,
        "#ffffff",
      );
    })
    .join("");
  return (
    box(x, y, width, height, `rgba(0,0,0,${fixed(random.between(0.15, 0.4))})`) +
    (random.chance(0.6) ? disc(middle[0], middle[1], unit * 1.1, "rgba(0,0,0,0.45)") : "") +
    symbol +
    skip +
    box(x + unit * 0.4, barY, width - unit * 0.8, unit * 0.12, "rgba(255,255,255,0.4)") +
    box(x + unit * 0.4, barY, (width - unit * 0.8) * position, unit * 0.12, "#e62117") +
    disc(x + unit * 0.4 + (width - unit * 0.8) * position, barY + unit * 0.06, unit * 0.18, "#e62117") +
    text(`${random.whole(0, 11)}:${random.whole(10, 59)} / 23:${random.whole(10, 59)}`, {
      x: x + unit * 0.5,
      y: barY - unit * 0.35,
      size: unit * 0.5,
      fill: "#ffffff",
    })
  );
}
