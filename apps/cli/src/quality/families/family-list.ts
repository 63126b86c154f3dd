import { cameraFamilies } from "./camera.ts";
import { colourFamilies } from "./colour.ts";
import { compressionFamilies } from "./compression.ts";
import type { Family } from "./family.ts";
import { framingFamilies } from "./framing.ts";
import { pageFamilies } from "./pages.ts";
import { writingFamilies } from "./writing.ts";

/** All edit families, in the order of the report. */
export const families: readonly Family[] = [
  ...compressionFamilies,
  ...framingFamilies,
  ...writingFamilies,
  ...colourFamilies,
  ...pageFamilies,
  ...cameraFamilies,
];
