// Written by scripts/build-kernels.mjs with assemblyscript@0.28.20; do not edit.
// SHA-256 of kernel.wasm: 4f9165a498ab3fc3f5fecdf36db8ba5d096e23d3e83b7882716960b39f3700b1
import { readFileSync } from "node:fs";

/** The compiled kernel of the strips, WebAssembly. */
export const kernelBytes = readFileSync(new URL("./kernel.wasm", import.meta.url));
