import { image, n } from "./drawing.ts";

/** A point in a shot. */
export type Moment = {
  /** From the shot's first frame. */
  seconds: number;
  /** The same as a fraction of the shot, 0..1. */
  share: number;
};

/** The content at one distance: 0 never moves, 1 moves with the camera, more than 1 is in front. */
type Layer = { depth: number; svg: string };

/** Part of a shot that can be drawn at any moment. */
export type ShotElement = (moment: Moment) => Layer[];

/** The direction of the camera at the start and at the end, relative to the middle, and its zoom. */
type Camera = { x?: [number, number]; y?: [number, number]; zoom?: [number, number] };

/** A continuous take. */
export type Shot = { seconds: number; camera?: Camera; elements: ShotElement[] };

/** Returns one frame of a shot as SVG. */
export function frameSvg(shot: Shot, seconds: number): string {
  const moment = { seconds, share: Math.min(1, seconds / shot.seconds) };
  const eased = moment.share * moment.share * (3 - 2 * moment.share);
  const [x, y, zoom] = [
    along(shot.camera?.x ?? [0, 0], eased),
    along(shot.camera?.y ?? [0, 0], eased),
    along(shot.camera?.zoom ?? [1, 1], eased),
  ];
  const layers = shot.elements.flatMap((element) => element(moment)).sort((a, b) => a.depth - b.depth);
  const { width, height } = image;
  const drawn = layers.map(({ depth, svg }) => {
    const scale = 1 + (zoom - 1) * Math.min(1.3, 0.4 + 0.6 * depth);
    return `<g transform="translate(${n(width / 2 - x * depth * scale)} ${n(height / 2 - y * depth * scale)}) scale(${n(scale)}) translate(${-width / 2} ${-height / 2})">${svg}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${drawn.join("")}</svg>`;
}

/** Draws constant content. */
export function still(depth: number, svg: string): ShotElement {
  const layers = [{ depth, svg }];
  return () => layers;
}

/** Draws content again at each moment. */
export function moving(depth: number, draw: (moment: Moment) => string): ShotElement {
  return (moment) => [{ depth, svg: draw(moment) }];
}

function along([from, to]: [number, number], share: number): number {
  return from + (to - from) * share;
}
