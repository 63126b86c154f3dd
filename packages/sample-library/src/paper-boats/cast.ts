import type { Character } from "../actors/characters.ts";
import type { Palette } from "../scenery/outdoors.ts";

/* The characters of the series, and the colours of its settings. */

export const nami: Character = {
  skin: "#fbdcc4",
  hair: "#2f6f9f",
  eyes: "#2f86c9",
  clothes: "#f4f6fb",
  accent: "#2f5fa8",
  style: "bob",
};
export const riku: Character = {
  skin: "#e2b088",
  hair: "#e8b84a",
  eyes: "#4a8a3c",
  clothes: "#38507a",
  accent: "#e8e8f0",
  style: "spiky",
};
export const sena: Character = {
  skin: "#f8d8c8",
  hair: "#d86a9c",
  eyes: "#a83c7a",
  clothes: "#f4f6fb",
  accent: "#c9487a",
  style: "long",
};

export const noon: Palette = {
  high: "#3fa0e0",
  low: "#d8f1fb",
  far: "#7fc8c0",
  middle: "#2f8fc4",
  near: "#f2dfae",
  light: "#fff6c8",
};
export const school: Palette = {
  high: "#8fd0f0",
  low: "#f6ecd6",
  far: "#e6d2a8",
  middle: "#c8a878",
  near: "#a07848",
  light: "#fff0b0",
};
export const rain: Palette = {
  high: "#5a6a80",
  low: "#a8b8c4",
  far: "#74869a",
  middle: "#5c6e84",
  near: "#46566a",
  light: "#ffe9a8",
};
export const sunset: Palette = {
  high: "#c84a6c",
  low: "#ffc46a",
  far: "#8c3f6c",
  middle: "#d8705c",
  near: "#5a2c4c",
  light: "#ffe08a",
};
export const spring: Palette = {
  high: "#a8d8f0",
  low: "#fde8ee",
  far: "#c8dca0",
  middle: "#a0c878",
  near: "#78a85c",
  light: "#fff4d8",
};
export const dusk: Palette = {
  high: "#1f3a6c",
  low: "#e07a7a",
  far: "#3f4a7c",
  middle: "#2f386a",
  near: "#20284c",
  light: "#ffd98a",
};
