import { type Character, createRandom, type Palette, type Random } from "@koma/testing/drawing";

const skins = ["#f6d3b8", "#e9bd98", "#f0cbb0", "#d8a47c"] as const;
const colors = [
  "#7a3b2e",
  "#2f3550",
  "#d9d5dc",
  "#b8443c",
  "#3f5f7a",
  "#f2c14e",
  "#5a4a7a",
  "#3c7a54",
] as const;
const styles = ["long", "bob", "spiky", "bun", "twin"] as const;

/** Draws lots for the characters of a series; neighbours have different hair. */
export function castOf(seed: string, count: number): Character[] {
  const random = createRandom(`${seed}/cast`);
  return Array.from({ length: count }, (_, at) => ({
    skin: random.pick(skins),
    hair: random.pick(colors),
    eyes: random.pick(colors),
    clothes: random.pick(colors),
    accent: random.pick(colors),
    style: styles[at % styles.length] ?? "bob",
  }));
}

/** Returns the colours of a time of day and a season. */
export function paletteOf(random: Random): Palette {
  const hue = random.whole(0, 359);
  const tone = (offset: number, lightness: number) => hslToHex(hue + offset, 0.4, lightness);
  const isNight = random.chance(0.3);
  return {
    high: tone(0, isNight ? 0.16 : 0.65),
    low: tone(30, isNight ? 0.32 : 0.85),
    far: tone(60, isNight ? 0.26 : 0.6),
    middle: tone(80, isNight ? 0.2 : 0.48),
    near: tone(100, isNight ? 0.14 : 0.36),
    light: tone(20, 0.85),
  };
}

function hslToHex(hue: number, saturation: number, lightness: number): string {
  const channel = (offset: number) => {
    const k = (offset + hue / 30) % 12;
    const value = lightness - saturation * Math.min(lightness, 1 - lightness) * waveOf(k);
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, "0");
  };
  return `#${channel(0)}${channel(8)}${channel(4)}`;
}

function waveOf(k: number): number {
  return Math.max(-1, Math.min(k - 3, 9 - k, 1));
}
