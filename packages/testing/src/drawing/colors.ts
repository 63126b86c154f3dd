/** Returns a darker tone of a colour, towards violet as in cel shadows. */
export function shade(color: string): string {
  return mix(color, "#2a1d52", 0.3);
}

/** Returns a lighter tone of a colour. */
export function light(color: string): string {
  return mix(color, "#fff6e0", 0.4);
}

/** Mixes two colours; `part` of the second. */
export function mix(a: string, b: string, part: number): string {
  const channel = (color: string, i: number) => Number.parseInt(color.slice(1 + 2 * i, 3 + 2 * i), 16);
  const mixed = [0, 1, 2].map((i) => Math.round(channel(a, i) * (1 - part) + channel(b, i) * part));
  return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}
