// The exported functions of the verification. `npm run build:kernels` compiles them.

export { compare, deviation, normalise, readThumbnail, sample } from "./patches";
export { slide } from "./slide";
export { findStep } from "./step";
