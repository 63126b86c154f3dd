import { setImmediate } from "node:timers/promises";
import { MessageChannel } from "node:worker_threads";
import {
  decodeDescriptors,
  type EncodedDescriptors,
  locateThumbnails,
  type ThumbnailLocation,
} from "../episode/descriptor-codec.ts";
import type { EpisodeDescriptors, RegionDescriptors } from "../episode/episode-descriptors.ts";
import { locateStrips } from "../episode/strip-chunks.ts";
import type { Model } from "../model/model.ts";
import { dequantise } from "../nearest-neighbours/quantise.ts";
import type { FrameStore, StoredEpisode, StoredRow } from "./frame-store.ts";
import { type IndexPort, serveStore } from "./index-port.ts";
import { createAxes } from "./stored-frames.ts";

/** Frames whose rows are computed between two yields to the event loop. */
const framesPerYield = 256;

/**
 * Creates an index of the frames that a database holds. It keeps nothing in memory: the thread that searches
 * reads the nearest frames, and verifies them as with `openFrameIndex`.
 */
export function createStoredIndex(model: Model, store: FrameStore) {
  const axes = createAxes(model);
  const open = new Set<MessageChannel>();

  return {
    /** Opens a port through which another thread searches (`connectIndex`). That thread must close it. */
    openSearchPort(): IndexPort {
      const channel = new MessageChannel();
      open.add(channel);
      serveStore(channel.port1, store).then(() => open.delete(channel));
      return { serves: "frames", port: channel.port2 };
    },

    /**
     * Converts the stored descriptors of an episode to the rows of the database. Throws
     * CorruptDescriptorsError.
     */
    async toRows(stored: EncodedDescriptors): Promise<StoredEpisode> {
      const descriptors = decodeDescriptors(model.id, stored.frameTable, stored.chunks);
      const { regions } = descriptors;
      const located = locateThumbnails(stored.chunks);
      const frames = await listRows(descriptors, located.frames);
      return {
        aspect: descriptors.aspect,
        frameCount: descriptors.count,
        rows: {
          frames,
          regions: regions === undefined ? [] : await listRegions(descriptors, regions, located.regions),
        },
        strips: locateStrips(stored.chunks),
      };
    },

    /** Ends the searches that other threads run. */
    close(): void {
      for (const { port1 } of open) port1.close();
    },
  };

  async function listRows(
    { count, atSeconds, shotOf, shots, vectors }: RegionDescriptors,
    located: readonly ThumbnailLocation[],
  ): Promise<StoredRow[]> {
    const rows: StoredRow[] = [];
    for (let number = 0; number < count; number++) {
      // Other work of the process continues in between.
      if (number % framesPerYield === framesPerYield - 1) await setImmediate();
      const codes = vectors.subarray(number * model.dimensions, (number + 1) * model.dimensions);
      const thumbnail = located[number];
      // A vector of zeros is similar to no other.
      if (thumbnail === undefined || codes.every((value) => value === 0)) continue;
      const shot = shotOf[number] ?? 0;
      const isLast = number + 1 >= count || shotOf[number + 1] !== shot;
      rows.push({
        number,
        frame: number,
        shot,
        atSeconds: atSeconds[number] ?? 0,
        nextAtSeconds: isLast ? null : (atSeconds[number + 1] ?? null),
        ...(shots[shot] ?? { fromSeconds: 0, toSeconds: 0 }),
        ...thumbnail,
        vector: axes.toAxes(dequantise(codes)),
      });
    }
    return rows;
  }

  async function listRegions(
    frames: EpisodeDescriptors,
    regions: RegionDescriptors,
    located: readonly ThumbnailLocation[],
  ): Promise<StoredRow[]> {
    const frameAt = new Map(Array.from(frames.atSeconds, (at, frame) => [at, frame]));
    const rows = await listRows(regions, located);
    return rows.flatMap((row) => {
      const frame = frameAt.get(row.atSeconds);
      return frame === undefined ? [] : [{ ...row, frame, nextAtSeconds: null }];
    });
  }
}

/** An index of the frames that a database holds. */
export type StoredIndex = ReturnType<typeof createStoredIndex>;
