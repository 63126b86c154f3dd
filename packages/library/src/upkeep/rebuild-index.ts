import { rm } from "node:fs/promises";
import { openFrameIndex } from "@koma/engine";
import { createIndexFollower } from "../search/index-follower.ts";
import type { UpkeepOptions, UpkeepParts } from "./verify-library.ts";

/**
 * Throws the index cache away and builds it again from the stored descriptors. A process that searches at the moment
 * keeps its own index in memory and is not disturbed.
 */
export async function rebuildIndex(
  parts: UpkeepParts & { onNotice: (message: string) => void },
  o: UpkeepOptions = {},
): Promise<{ episodes: number; frames: number }> {
  const { database, model, cacheFolder, onNotice } = parts;
  await rm(cacheFolder, { recursive: true, force: true });
  const index = await openFrameIndex({ model, cacheFolder });
  try {
    const follower = createIndexFollower({ database, index, modelId: model.id, onNotice });
    await follower.start(o);
    await follower.save();
    const { episodes, frames } = await index.stats();
    return { episodes, frames };
  } finally {
    await index.close();
  }
}
