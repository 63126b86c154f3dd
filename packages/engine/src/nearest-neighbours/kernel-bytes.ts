// Written by scripts/build-kernels.mjs with assemblyscript@0.28.20; do not edit.
// SHA-256 of kernel.wasm: 043d00328398e58ad5b96f4fea1cdfcb36bf63a662862667f1520bfaee97abc7
import { readFileSync } from "node:fs";

/** The compiled kernel of the vector index, WebAssembly. */
export const kernelBytes = readFileSync(new URL("./kernel.wasm", import.meta.url));
