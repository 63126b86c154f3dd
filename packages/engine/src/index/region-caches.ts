import { readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import type { Model } from "../model.ts";
import { type CachedIndex, createIndexCache } from "./index-cache.ts";
import { type SignNeighbours, signFormat } from "./sign-neighbours.ts";

const OWN_FOLDER = /^regions-(\d+)$/;
const ORPHAN_MS = 60 * 60 * 1000;

/**
 * The caches of indexed regions beside that of the frames, one per change number: processes that save at the same time keep
 * theirs apart, and whichever saves its frames last finds the regions that belong to them.
 */
export function createRegionCaches(folder: string, model: Model) {
  const nameOf = (seq: string) => path.join(folder, `regions-${seq}`);
  const open = (seq: string) => createIndexCache(nameOf(seq), model, signFormat(model.dimensions, folder));

  return {
    /** Undefined when there is none of this change number, or none that can be used. */
    async load(seq: string): Promise<CachedIndex<SignNeighbours> | undefined> {
      const cached = await open(seq).load();
      if (cached === undefined || cached.seq === seq) return cached;
      cached.thumbnails.close();
      cached.neighbours.close();
      return undefined;
    },

    save: (content: CachedIndex<SignNeighbours>): Promise<void> => open(content.seq).save(content),

    /** Removes the caches of other change numbers; a young one may belong to another process that is saving. */
    async removeOthers(seq: string, replacedSeq: string | undefined): Promise<void> {
      for (const name of await readdir(folder)) {
        const own = OWN_FOLDER.exec(name);
        if (own === null || own[1] === seq) continue;
        const facts = await stat(path.join(folder, name)).catch(() => undefined);
        const isOld = facts !== undefined && Date.now() - facts.mtimeMs > ORPHAN_MS;
        if (own[1] === replacedSeq || isOld)
          await rm(path.join(folder, name), { recursive: true, force: true });
      }
    },
  };
}
