import { fileURLToPath } from "node:url";

/** The folder of the sample clips. */
export const clipsFolder = fileURLToPath(new URL("../clips", import.meta.url));

/** The pack that describes the clips; `npm run samples` writes it. */
export const samplePack = fileURLToPath(new URL("../samples.koma", import.meta.url));
