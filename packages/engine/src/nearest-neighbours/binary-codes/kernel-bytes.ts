// Written by scripts/build-kernels.mjs with assemblyscript@0.28.20; do not edit.
// SHA-256 of kernel.wasm: 7cb37a40b344a2c0ed1fc8e56cfaee54d1d1c588c0bb2ccf6be966fa1e62c859
import { readFileSync } from "node:fs";

/** SHA-256 of the sources. */
export const kernelSourcesSha256 = "199e9eea1e44e4042ef194d7777915dc2ffd3a61a0168b024bc123aa7858b02d";

/** The compiled kernel of the binary codes, WebAssembly. */
export const kernelBytes = readFileSync(new URL("./kernel.wasm", import.meta.url));
