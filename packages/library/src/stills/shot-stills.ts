import type { Episode, StillSetStore } from "@koma/database";
import { CorruptStillsError, findStill } from "./still-set.ts";

export type ShotStillParts = {
  stills: StillSetStore;
  /** Receives the id of an episode without usable stills. */
  onMissing: (episodeId: string) => void;
  onLog: (message: string) => void;
};

/** Returns a function that finds the stored still of a shot. It never throws: the exact still replaces it. */
export function createShotStills({ stills, onMissing, onLog }: ShotStillParts) {
  return async function findShotStill(episode: Episode, atSeconds: number): Promise<Buffer | undefined> {
    const { id, contentHash } = episode;
    if (contentHash === null) return undefined;
    const content = { id, contentHash };
    try {
      if ((await stills.read(content, 0, 0)) !== undefined) {
        return await findStill(
          async (offset, length) => (await stills.read(content, offset, length)) ?? new Uint8Array(),
          atSeconds,
        );
      }
    } catch (error) {
      onLog(`The stills of episode ${id} are unusable: ${error instanceof Error ? error.message : error}`);
      if (!(error instanceof CorruptStillsError)) return undefined;
      await stills.remove([id]).catch(() => undefined);
    }
    onMissing(id);
    return undefined;
  };
}
