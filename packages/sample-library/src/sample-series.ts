import { createRandom, type Random } from "./drawing/random.ts";
import type { Shot } from "./drawing/shot.ts";
import { ironComet } from "./iron-comet/iron-comet.ts";
import { lanternRoad } from "./lantern-road/lantern-road.ts";
import { paperBoats } from "./paper-boats/paper-boats.ts";

/** One episode of the sample library. */
export type SampleEpisode = {
  title: string;
  season: number | null;
  number: number;
  /** Its path in the folder of the sample library, in the style of real files. */
  file: string;
  /** Its shots, the opening of the series first. */
  shots: () => Shot[];
};

/** All episodes of the sample library. */
export const sampleEpisodes: SampleEpisode[] = [
  ...lanternRoad.episodes.map((shots, i) =>
    episode(
      "Lantern Road",
      null,
      i + 1,
      `Lantern Road - ${twoDigits(i + 1)}.mp4`,
      lanternRoad.opening,
      shots,
    ),
  ),
  ...paperBoats.seasons.flatMap((episodes, s) =>
    episodes.map((shots, i) =>
      episode("Paper Boats", s + 1, i + 1, seasonFile(s + 1, i + 1), paperBoats.opening, shots),
    ),
  ),
  ...ironComet.episodes.map((shots, i) =>
    episode(
      "Iron Comet",
      null,
      i + 1,
      `[Koma] Iron Comet - ${twoDigits(i + 1)} [270p].mp4`,
      ironComet.opening,
      shots,
    ),
  ),
];

type Draw = (random: Random) => Shot[];

function episode(
  title: string,
  season: number | null,
  number: number,
  name: string,
  opening: Draw,
  shots: Draw,
) {
  const seed = 1000 * (season ?? 0) + 10 * number + title.length;
  return {
    title,
    season,
    number,
    file: `${title}/${name}`,
    shots: () => [...opening(createRandom(title.length)), ...shots(createRandom(seed))],
  };
}

function seasonFile(season: number, number: number): string {
  return `Season ${season}/S${twoDigits(season)}E${twoDigits(number)}.mp4`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
