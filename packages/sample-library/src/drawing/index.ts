/** The painter and the seeded generator of the sample clips, of benchmarks and of tests. */
export { type EncodeOptions, encodeVideo } from "./encode-video.ts";
export { createPainter, type Painter, type Rgb } from "./painter.ts";
export { createRandom, type Random } from "./random.ts";
