import { type Character, createRandom, type Random } from "@koma/testing/drawing";
import { type Background, backgroundsOf } from "./backgrounds.ts";
import { castOf } from "./cast.ts";
import { createTake, type SetUp, type Take } from "./take.ts";

/** Frames per second of the episodes, as in TV series. */
export const framesPerSecond = 24;

const [castCount, backgroundCount] = [5, 7];

type Series = { name: string; cast: Character[]; backgrounds: Background[] };

/**
 * Writes an episode as limited animation has it, at least this long: an opening that all episodes share, then
 * conversations in the settings of the series, between camera set-ups that return, and walks. Its shots have
 * drawings that are held, mouths on threes, blinks, slow pans and zooms over one background.
 */
export function writeEpisode(o: { series: string; number: number; seconds: number }): Take[] {
  const series = {
    name: o.series,
    cast: castOf(o.series, castCount),
    backgrounds: backgroundsOf(o.series, backgroundCount),
  };
  const takes = writeOpening(series);
  const random = createRandom(`${o.series}/episode ${o.number}`);
  const frames = o.seconds * framesPerSecond;
  let count = takes.reduce((sum, take) => sum + take.frames, 0);
  while (count < frames) {
    for (const take of random.chance(0.2) ? writeWalk(series, random) : writeConversation(series, random)) {
      takes.push(take);
      count += take.frames;
    }
  }
  return takes;
}

function writeOpening({ name, cast, backgrounds }: Series): Take[] {
  const random = createRandom(`${name}/opening`);
  return cast.flatMap((who, at) => [
    createTake(
      {
        background: backgrounds[at % backgrounds.length],
        camera: { x: at * 40 - 80, y: 0, zoom: 1 },
        actors: [],
      },
      random,
      {
        frames: 36,
        pan: 50,
      },
    ),
    createTake(faceOf(backgrounds[(at + 2) % backgrounds.length], who, random), random, {
      frames: 30,
      push: 0.15,
    }),
  ]);
}

/** Two characters: set-ups over either shoulder and of both return, as the video cuts between them. */
function writeConversation({ name, cast, backgrounds }: Series, random: Random): Take[] {
  const at = random.whole(0, backgrounds.length - 1);
  const background = backgrounds[at];
  const first = random.whole(0, cast.length - 1);
  const second = (first + random.whole(1, cast.length - 1)) % cast.length;
  const pair = [cast[first], cast[second]].flatMap((who) => who ?? []);
  // A pair has the same set-ups in the same background in every episode.
  const fixed = createRandom(`${name}/set-ups ${at} ${first} ${second}`);
  const faces = pair.map((who) => faceOf(background, who, fixed));
  const both = bothOf(background, pair, fixed);
  const wide = { background, camera: { x: fixed.between(-40, 40), y: 0, zoom: 1 }, actors: [] };
  const seconds = (low: number, high: number) => Math.round(random.between(low, high) * framesPerSecond);
  const takes = [
    createTake(wide, random, {
      frames: seconds(2.5, 4),
      ...random.pick<{ pan?: number; push?: number }>([{ pan: 30 }, { push: 0.08 }, {}]),
    }),
  ];
  takes.push(createTake(both, random, { frames: seconds(2, 4), speaking: 0 }));
  for (let line = random.whole(4, 9), turn = 0; line > 0; line--, turn++) {
    const face = faces[turn % faces.length];
    if (face === undefined) break;
    const push = random.chance(0.15) ? { push: 0.07 } : {};
    const isSilent = random.chance(0.15);
    takes.push(
      createTake(face, random, {
        frames: isSilent ? seconds(1, 2.2) : seconds(1.8, 5.5),
        ...(isSilent ? {} : { speaking: 0 }),
        ...push,
        hasGesture: random.chance(0.2),
      }),
    );
    if (random.chance(0.2))
      takes.push(createTake(both, random, { frames: seconds(2, 4), speaking: turn % 2 }));
  }
  return takes;
}

function writeWalk({ cast, backgrounds }: Series, random: Random): Take[] {
  const who = cast[random.whole(0, cast.length - 1)];
  const background = backgrounds[random.whole(0, backgrounds.length - 1)];
  const camera = { x: random.between(-60, 0), y: 0, zoom: 1 };
  const walker = who === undefined ? undefined : { who, pixelsPerStep: random.between(3, 7) };
  return [
    createTake({ background, camera, actors: [] }, random, { frames: random.whole(48, 120), walker }),
    createTake({ background, camera: { ...camera, zoom: 1.3 }, actors: [] }, random, {
      frames: 60,
      pan: random.sign() * 60,
    }),
  ];
}

function faceOf(background: Background | undefined, who: Character, random: Random): SetUp {
  const side = random.sign();
  const actor = { who, x: 240 + side * random.between(20, 90), y: random.between(120, 150), gaze: -side };
  return {
    background,
    camera: { x: random.between(-90, 90), y: random.between(-20, 30), zoom: random.between(1.3, 2) },
    actors: [{ ...actor, scale: random.between(1.1, 1.6) }],
  };
}

function bothOf(background: Background | undefined, pair: readonly Character[], random: Random): SetUp {
  const scale = random.between(0.6, 0.85);
  return {
    background,
    camera: { x: random.between(-40, 40), y: 10, zoom: random.between(1, 1.2) },
    // The lower edge of the image cuts the bodies.
    actors: pair.map((who, at) => ({
      who,
      x: 150 + at * 180,
      y: 272 - 128 * scale,
      scale,
      gaze: at === 0 ? 1 : -1,
    })),
  };
}
