import type { Character } from "../actors/characters.ts";
import type { Palette } from "../scenery/outdoors.ts";

/* The characters of the series, and the colours of its settings. */

export const mika: Character = {
  skin: "#f6d3b8",
  hair: "#7a3b2e",
  eyes: "#3f9c7a",
  clothes: "#b8443c",
  accent: "#f2c14e",
  style: "twin",
};
export const oto: Character = {
  skin: "#e9bd98",
  hair: "#2f3550",
  eyes: "#c98a2e",
  clothes: "#3f5f7a",
  accent: "#e8e0cc",
  style: "spiky",
};
export const granny: Character = {
  skin: "#f0cbb0",
  hair: "#d9d5dc",
  eyes: "#6a5a8c",
  clothes: "#5a4a7a",
  accent: "#d88a6a",
  style: "bun",
};

export const dusk: Palette = {
  high: "#2c2c63",
  low: "#f08a5d",
  far: "#6a4c8c",
  middle: "#4a3a6e",
  near: "#33294f",
  light: "#ffd166",
};
export const night: Palette = {
  high: "#0e1436",
  low: "#33406e",
  far: "#2a3560",
  middle: "#222a4e",
  near: "#1a1f3c",
  light: "#ffcf70",
};
export const morning: Palette = {
  high: "#86c5da",
  low: "#fbe6c2",
  far: "#9cc4b2",
  middle: "#6fa37f",
  near: "#4c7f5a",
  light: "#fff0b8",
};
export const autumn: Palette = {
  high: "#d98e4a",
  low: "#fbe0a8",
  far: "#d07a3c",
  middle: "#b3502e",
  near: "#7c3426",
  light: "#ffe9a0",
};
export const snow: Palette = {
  high: "#8fa5c9",
  low: "#e9edf6",
  far: "#b3c2dc",
  middle: "#cbd6e8",
  near: "#eef3fa",
  light: "#ffffff",
};
export const fog: Palette = {
  high: "#5f7f86",
  low: "#cfe0d6",
  far: "#9db8b2",
  middle: "#6f9490",
  near: "#3f6664",
  light: "#f2f7d8",
};
