import type { Reliability } from "../scoring/reliability.ts";

const [size, margin] = [280, 34];

/**
 * Draws the curve as SVG: similarity to the right, fraction of correct matches upwards, dots sized by their
 * matches.
 */
export function drawReliability({ bins }: Reliability): string {
  const x = (value: number) => margin + value * size;
  const y = (value: number) => 10 + (1 - value) * size;
  const points = bins.flatMap(({ count, meanSimilarity, right }) =>
    meanSimilarity === null || right === null ? [] : [{ count, x: x(meanSimilarity), y: y(right) }],
  );
  const line = points.map((point) => `${point.x.toFixed(1)},${point.y.toFixed(1)}`).join(" ");
  const dots = points.map(
    (point) =>
      `<circle cx="${point.x.toFixed(1)}" cy="${point.y.toFixed(1)}" r="${(2 + Math.log10(point.count + 1) * 2).toFixed(1)}" fill="#2563eb"><title>${point.count} matches</title></circle>`,
  );
  const ticks = [0, 0.5, 1].map(
    (value) =>
      `<text x="${x(value)}" y="${size + 28}" text-anchor="middle">${value}</text><text x="${margin - 6}" y="${y(value) + 4}" text-anchor="end">${value}</text>`,
  );
  return `<svg width="${size + margin + 12}" height="${size + 36}" font-size="11" fill="#5b6570"><rect x="${margin}" y="10" width="${size}" height="${size}" fill="none" stroke="#c9d0d8"/><line x1="${x(0)}" y1="${y(0)}" x2="${x(1)}" y2="${y(1)}" stroke="#c9d0d8" stroke-dasharray="4 4"/><polyline points="${line}" fill="none" stroke="#2563eb" stroke-width="2"/>${dots.join("")}${ticks.join("")}</svg>`;
}
