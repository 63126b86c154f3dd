import { sharp } from "@koma/image";
import type { RawStill, VideoFrame } from "@koma/media";
import { compressStill, fitStills } from "./fit-stills.ts";
import { encodeStillSet, type ShotStill } from "./still-set.ts";

/** Candidates of a shot in memory; when there are more, every second one is dropped. */
const mostCandidates = 8;

type Shot = { fromSeconds: number; toSeconds: number };

/**
 * Collects one still per shot from the frames of a video in order: of those with a still, the one nearest to
 * the middle of the shot. Holds a few raw stills, and the JPEGs of all shots.
 */
export function createStillCollector() {
  const stills: Promise<ShotStill>[] = [];
  let shot: (Shot & { index: number }) | undefined;
  let candidates: { atSeconds: number; still: RawStill }[] = [];
  let seen = 0;
  let stride = 1;

  function endShot(): void {
    if (shot === undefined) return;
    const { fromSeconds, toSeconds } = shot;
    const chosen = findMiddle(candidates, { fromSeconds, toSeconds });
    candidates = [];
    [seen, stride] = [0, 1];
    if (chosen === undefined) return;
    const compressed = compress(chosen.still, { fromSeconds, toSeconds });
    // `finish` reports the error.
    compressed.catch(() => undefined);
    stills.push(compressed);
  }

  return {
    /** Adds a frame with the index of its shot. */
    take({ atSeconds, still }: VideoFrame, index: number): void {
      if (shot?.index !== index) {
        endShot();
        shot = { index, fromSeconds: atSeconds, toSeconds: atSeconds };
      }
      shot.toSeconds = atSeconds;
      if (still === undefined || seen++ % stride !== 0) return;
      candidates.push({ atSeconds, still });
      if (candidates.length <= mostCandidates) return;
      candidates = candidates.filter((_, at) => at % 2 === 0);
      stride *= 2;
    },

    /** Returns the stored form of the stills after the last frame. */
    async finish(): Promise<Uint8Array<ArrayBuffer>> {
      endShot();
      shot = undefined;
      return encodeStillSet(await fitStills(await Promise.all(stills)));
    },
  };
}

/** Returns the time that is nearest to the middle of a shot; undefined without times. */
export function findMiddle<T extends { atSeconds: number }>(
  times: readonly T[],
  { fromSeconds, toSeconds }: Shot,
): T | undefined {
  const middle = (fromSeconds + toSeconds) / 2;
  const distanceOf = ({ atSeconds }: T) => Math.abs(atSeconds - middle);
  return times.toSorted((a, b) => distanceOf(a) - distanceOf(b))[0];
}

async function compress({ width, height, pixels }: RawStill, shot: Shot): Promise<ShotStill> {
  return { ...shot, jpeg: await compressStill(sharp(pixels, { raw: { width, height, channels: 3 } })) };
}
