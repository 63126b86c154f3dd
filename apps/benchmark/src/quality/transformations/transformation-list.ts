import { cameraTransformations } from "./camera.ts";
import { colourTransformations } from "./colour.ts";
import { compressionTransformations } from "./compression.ts";
import { framingTransformations } from "./framing.ts";
import { pageTransformations } from "./pages.ts";
import type { Transformation } from "./transformation.ts";
import { writingTransformations } from "./writing.ts";

/** All transformations, in the order of the report. */
export const transformations: readonly Transformation[] = [
  ...compressionTransformations,
  ...framingTransformations,
  ...writingTransformations,
  ...colourTransformations,
  ...pageTransformations,
  ...cameraTransformations,
];
