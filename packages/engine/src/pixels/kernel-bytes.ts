// Written by scripts/build-kernels.mjs with assemblyscript@0.28.20; do not edit.
// SHA-256 of kernel.wasm: c5103cb70acc79cbcd12f5f9221c5522ccd4fd7caed589f8f718318340030d94
import { readFileSync } from "node:fs";

/** The compiled kernel of the sampling of images, WebAssembly. */
export const kernelBytes = readFileSync(new URL("./kernel.wasm", import.meta.url));
