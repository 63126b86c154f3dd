import { cameraTransformations } from "./camera.ts";
import { colourTransformations } from "./colour.ts";
import { compressionTransformations } from "./compression.ts";
import { framingTransformations } from "./framing.ts";
import { hardTransformations } from "./hard.ts";
import { pageTransformations } from "./pages.ts";
import { partialTransformations } from "./partial.ts";
import type { Transformation } from "./transformation.ts";
import { writingTransformations } from "./writing.ts";

/** The transformations by set, in the order of the report. */
export const transformationSets = {
  usual: [
    ...compressionTransformations,
    ...framingTransformations,
    ...writingTransformations,
    ...colourTransformations,
    ...pageTransformations,
    ...cameraTransformations,
  ],
  partial: partialTransformations,
  hard: hardTransformations,
} as const satisfies Record<string, readonly Transformation[]>;

/** All transformations, in the order of the report. */
export const transformations: readonly Transformation[] = Object.values(transformationSets).flat();
