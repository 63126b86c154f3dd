import { fileURLToPath } from "node:url";

/** The folder of the rendered clips; `npm run render` writes it. */
export const clipsFolder = fileURLToPath(new URL("../clips", import.meta.url));

/** The pack that describes the rendered clips; `npm run samples` writes it. */
export const samplePack = fileURLToPath(new URL("../samples.koma", import.meta.url));
