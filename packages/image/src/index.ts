/** Untrusted image files: bounded reading, the memory of decoding, and the settings of the decoder. */
export { type ByteBudget, collectBytes } from "./collect-bytes.ts";
export { BmpError, type BmpPixels, decodeBmp, isBmp } from "./decode-bmp.ts";
export {
  type KernelEnum,
  loadDecoder,
  type OverlayOptions,
  type Sharp,
  type SharpOptions,
  sharp,
} from "./decoder.ts";
export { decoderLimits, type ImageHeader, inspectImage } from "./inspect-image.ts";
export { readJpegHeader } from "./jpeg-header.ts";
export { openFrames } from "./open-frames.ts";
export { repairJpeg } from "./repair-jpeg.ts";
export { unlessAborted } from "./unless-aborted.ts";
