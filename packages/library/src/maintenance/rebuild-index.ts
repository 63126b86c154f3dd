import type { SearchIndex } from "../search/search-index.ts";
import type { MaintenanceOptions } from "./verify-library.ts";

/**
 * Builds an index from the stored descriptors and closes it. A running search with an embedded index keeps its
 * own in memory.
 */
export async function rebuildIndex(
  index: SearchIndex,
  o: MaintenanceOptions = {},
): Promise<{ episodes: number; frames: number }> {
  try {
    await index.rebuild(o);
    const { episodes, frames } = await index.stats();
    return { episodes, frames };
  } finally {
    await index.close();
  }
}
