/** The painter and the seeded generator of the sample clips, of benchmarks and of tests. */
export { bust, type Character, figure } from "./actors/characters.ts";
export { flat, group, image, path } from "./drawing.ts";
export { encodeVideo } from "./encode-video.ts";
export { createPainter, type Painter, type Rgb } from "./painter.ts";
export { createRandom, type Random } from "./random.ts";
export { classroom, corridor, room } from "./scenery/indoors.ts";
export { meadow, type Palette, sky } from "./scenery/outdoors.ts";
export { river, skyline, street } from "./scenery/town.ts";
export { frameSvg, type ShotElement } from "./shot.ts";
