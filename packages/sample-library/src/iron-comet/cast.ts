import type { Character } from "../actors/characters.ts";
import type { Palette } from "../scenery/outdoors.ts";

/* The characters of the series, and the colours of its settings. */

export const kei: Character = {
  skin: "#f2cba8",
  hair: "#c23c3c",
  eyes: "#d8703c",
  clothes: "#e8e4dc",
  accent: "#e8543c",
  style: "helmet",
};
export const vera: Character = {
  skin: "#c98a5c",
  hair: "#e6e2f4",
  eyes: "#7a5ae0",
  clothes: "#3c3f6c",
  accent: "#7ae0c3",
  style: "long",
};
export const dax: Character = {
  skin: "#f4d6bc",
  hair: "#4c8a4c",
  eyes: "#4c8a8a",
  clothes: "#6c5a3c",
  accent: "#f2b83c",
  style: "spiky",
};

export const violet: Palette = {
  high: "#120a2e",
  low: "#2c1a5c",
  far: "#7a3aa8",
  middle: "#2a5ab8",
  near: "#1c1440",
  light: "#7ae0c3",
};
export const teal: Palette = {
  high: "#04141f",
  low: "#0f3f4c",
  far: "#1f8a8c",
  middle: "#2c6a4c",
  near: "#0a2430",
  light: "#ffd166",
};
export const rust: Palette = {
  high: "#e8a05c",
  low: "#f8d8a0",
  far: "#c8744c",
  middle: "#a8523c",
  near: "#7c3a30",
  light: "#fff0c8",
};
export const grey: Palette = {
  high: "#05060f",
  low: "#1a1c30",
  far: "#5a6078",
  middle: "#747a90",
  near: "#9298a8",
  light: "#bfe8ff",
};
export const alarm: Palette = {
  high: "#2a0410",
  low: "#7c1428",
  far: "#c8283c",
  middle: "#e8643c",
  near: "#4c0c1c",
  light: "#ffe08a",
};
export const green: Palette = {
  high: "#123c2c",
  low: "#8cd878",
  far: "#3c8a5c",
  middle: "#2c6a4c",
  near: "#184a38",
  light: "#f4ffb0",
};
