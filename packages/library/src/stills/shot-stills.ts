import type { Episode, StillSetStore } from "@koma/database";
import { CorruptStillsError, findStill, listShots, type ShotTimes } from "./still-set.ts";

export type ShotStillParts = {
  stills: StillSetStore;
  /** Receives the id of an episode without usable stills. */
  onMissing: (episodeId: string) => void;
  onLog: (message: string) => void;
};

type Read = (offset: number, length: number) => Promise<Uint8Array>;

/** The stored stills of shots. Nothing throws: the exact still replaces a missing one. */
export function createShotStills({ stills, onMissing, onLog }: ShotStillParts) {
  return {
    /** Finds the stored still of the shot at a time. */
    find: (episode: Episode, atSeconds: number): Promise<Buffer | undefined> =>
      readFrom(episode, (read) => findStill(read, atSeconds)),

    /** Lists the shots with a stored still that overlap a range, in order. */
    list: async (episode: Episode, range: ShotTimes): Promise<ShotTimes[]> =>
      (await readFrom(episode, (read) => listShots(read, range))) ?? [],
  };

  async function readFrom<T>(
    { id, contentHash }: Episode,
    use: (read: Read) => Promise<T>,
  ): Promise<T | undefined> {
    if (contentHash === null) return undefined;
    const content = { id, contentHash };
    try {
      if ((await stills.read(content, 0, 0)) !== undefined) {
        return await use(
          async (offset, length) => (await stills.read(content, offset, length)) ?? new Uint8Array(),
        );
      }
    } catch (error) {
      onLog(`The stills of episode ${id} are unusable: ${error instanceof Error ? error.message : error}`);
      if (!(error instanceof CorruptStillsError)) return undefined;
      await stills.remove([id]).catch(() => undefined);
    }
    onMissing(id);
    return undefined;
  }
}
