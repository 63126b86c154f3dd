import { fileURLToPath } from "node:url";

/** The folder of the rendered clips; `npm run render` writes it. */
export const clipsFolder = fileURLToPath(new URL("../clips", import.meta.url));
