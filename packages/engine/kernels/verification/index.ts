// The exported functions of the verification. `npm run build:kernels` compiles them.

export { compare, deviation, normalise, readThumbnail, sample } from "./patches";
export { measureFrame, slide } from "./slide";
export { findStep } from "./step";
