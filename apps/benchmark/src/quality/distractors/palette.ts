import type { Random, Rgb } from "@koma/testing/drawing";

/** Colours of one drawn scene: a few related hues in the light of a day, an evening or a night. */
export type Palette = ReturnType<typeof createPalette>;

export function createPalette(random: Random) {
  const hue = random.next();
  const spread = random.between(0.04, 0.5);
  const light = random.pick([1, 1, 0.85, 0.6, 0.4]);
  const grey = random.chance(0.15) ? 0.1 : 1;
  return {
    /** Returns a colour of the scene with that lightness, 0..1. */
    colour(lightness: number): Rgb {
      const at = hue + random.between(-0.5, 0.5) * spread + (random.chance(0.15) ? 0.5 : 0);
      return fromHsl(at, random.between(0.15, 0.75) * grey, Math.min(0.97, lightness * light + 0.02));
    },
    ink: fromHsl(hue, 0.3 * grey, 0.1 * light),
  };
}

function fromHsl(hue: number, saturation: number, lightness: number): Rgb {
  const channel = (offset: number): number => {
    const k = (offset + (((hue % 1) + 1) % 1) * 12) % 12;
    const reach = saturation * Math.min(lightness, 1 - lightness);
    return Math.round(255 * (lightness - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return [channel(0), channel(8), channel(4)];
}
