import {
  bust,
  type Character,
  figure,
  flat,
  frameSvg,
  group,
  path,
  type Random,
  type ShotElement,
} from "@koma/testing/drawing";
import type { Background } from "./backgrounds.ts";

type Actor = { who: Character; x: number; y: number; scale: number; gaze: number };
type Camera = { x: number; y: number; zoom: number };

/** Where the camera and the actors are; a shot that returns has the same set-up. */
export type SetUp = { background: Background | undefined; camera: Camera; actors: Actor[] };

/** A shot: its frames are drawn one by one, equal ones as the same text. */
export type Take = { frames: number; draw(frame: number): string };

type Acting = {
  frames: number;
  /** The actor who speaks. */
  speaking?: number | undefined;
  /** The actor raises a hand for a while. */
  hasGesture?: boolean;
  /** The camera moves by this much to the side, or nearer, one drawing per frame. */
  pan?: number;
  push?: number;
  /** A figure that walks on twos while the background slides. */
  walker?: { who: Character; pixelsPerStep: number } | undefined;
};

type State = { mouth: number; isBlinking: boolean };

/** Mouths move on threes, in three shapes. */
const framesPerMouth = 3;
const mouths = [0, 0.5, 1] as const;
const framesPerStep = 2;

/** Plans the acting of a shot. The background and the bodies are held. */
export function createTake(setUp: SetUp, random: Random, acting: Acting): Take {
  const { frames, pan = 0, push = 0, walker } = acting;
  const states = setUp.actors.map((_, at) => actFaces(frames, at === acting.speaking, random));
  const raisedFrom = acting.hasGesture === true ? random.whole(6, Math.max(7, frames - 30)) : frames;
  const raised = { from: raisedFrom, to: raisedFrom + 30 };
  return {
    frames,
    draw(frame) {
      const share = frames > 1 ? frame / (frames - 1) : 0;
      const step = Math.floor(frame / framesPerStep);
      const slide = walker === undefined ? 0 : step * walker.pixelsPerStep;
      const camera = { ...setUp.camera, x: setUp.camera.x + pan * (share - 0.5) + slide };
      const elements = [
        ...(setUp.background?.elements ?? []).map((element) => enlarge(element, camera)),
        ...setUp.actors.map((actor, at) =>
          drawActor(actor, states[at]?.[frame], frame >= raised.from && frame < raised.to),
        ),
        ...(walker === undefined ? [] : [drawWalker(walker.who, step)]),
      ];
      const zoom = 1 + push * share;
      return frameSvg({ seconds: 1, camera: { zoom: [zoom, zoom] }, elements }, 0);
    },
  };
}

/** Plans mouth and eyes of one actor by frame. */
function actFaces(frames: number, isSpeaking: boolean, random: Random): State[] {
  let [mouth, blinkAt, phraseEnd, isInPhrase]: [number, number, number, boolean] = [
    0,
    random.whole(10, 90),
    0,
    false,
  ];
  return Array.from({ length: frames }, (_, frame) => {
    if (isSpeaking && frame >= phraseEnd) {
      isInPhrase = !isInPhrase;
      phraseEnd = frame + (isInPhrase ? random.whole(20, 60) : random.whole(6, 20));
    }
    if (frame % framesPerMouth === 0) mouth = isInPhrase ? random.pick(mouths) : 0;
    if (frame >= blinkAt + 4) blinkAt = frame + random.whole(40, 110);
    return { mouth, isBlinking: frame >= blinkAt };
  });
}

function drawActor(
  { who, x, y, scale, gaze }: Actor,
  { mouth, isBlinking }: State = { mouth: 0, isBlinking: false },
  isRaised: boolean,
): ShotElement {
  const hand = isRaised
    ? group({ x: 62, y: 40 }, path(flat(who.skin))`M-10 60 L-9 0 q9 -14 18 0 L10 60 Z`)
    : "";
  const svg = group({ x, y, scale }, bust(who, { style: gaze * 0.5, mouth, isBlinking, wind: 0.2 }) + hand);
  return () => [{ depth: 1, svg }];
}

function drawWalker(who: Character, step: number): ShotElement {
  return () => [{ depth: 1, svg: group({ x: 230, y: 262, scale: 1.5 }, figure(who, step / 12)) }];
}

/** Places the background as the camera shows it; distant parts move less. */
function enlarge(element: ShotElement, { x, y, zoom }: Camera): ShotElement {
  return (moment) =>
    element(moment).map(({ depth, svg }) => ({
      depth: depth * 0.9,
      svg: group(
        { x: 240 - (240 + x * (0.4 + 0.6 * depth)) * zoom, y: 135 - (135 + y) * zoom, scale: zoom },
        svg,
      ),
    }));
}
