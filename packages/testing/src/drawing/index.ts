/** The painter and the seeded generator of the sample clips, of benchmarks and of tests. */
export { bust, type Character, type Expression, figure } from "./actors/characters.ts";
export { circle, fade, flat, glow, group, image, path, rect, stroke } from "./drawing.ts";
export { type EncodeOptions, encodeVideo } from "./encode-video.ts";
export { createPainter, type Painter, type Rgb } from "./painter.ts";
export { createRandom, type Random } from "./random.ts";
export { classroom, corridor, room } from "./scenery/indoors.ts";
export { forest, meadow, mountains, type Palette, sea, sky } from "./scenery/outdoors.ts";
export { river, skyline, street } from "./scenery/town.ts";
export { frameSvg, moving, type Shot, type ShotElement, still } from "./shot.ts";
