// The exported functions of the verification. `npm run build:kernels` compiles them.

export { compare, deviation, normalise, sample } from "./patches";
export { slide } from "./slide";
export { findStep } from "./step";
