// Written by scripts/build-kernels.mjs with assemblyscript@0.28.20; do not edit.
// SHA-256 of kernel.wasm: 4c3ff389b1d5abcc9b4ced6789191d6f64e6c8756f27a03409aef382524bcc48
import { readFileSync } from "node:fs";

/** The compiled kernel of the verification, WebAssembly. */
export const kernelBytes = readFileSync(new URL("./kernel.wasm", import.meta.url));
