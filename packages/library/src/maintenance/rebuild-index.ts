import { rm } from "node:fs/promises";
import { openFrameIndex } from "@koma/engine";
import { createIndexFollower } from "../search/index-follower.ts";
import type { MaintenanceOptions, MaintenanceParts } from "./verify-library.ts";

/**
 * Deletes the index cache and builds it again from the stored descriptors. A running search keeps its own
 * index in memory.
 */
export async function rebuildIndex(
  parts: MaintenanceParts & { onLog: (message: string) => void },
  o: MaintenanceOptions = {},
): Promise<{ episodes: number; frames: number }> {
  const { database, model, cacheFolder, onLog } = parts;
  await rm(cacheFolder, { recursive: true, force: true });
  const index = await openFrameIndex({ model, cacheFolder });
  try {
    const follower = createIndexFollower({ database, index, modelId: model.id, onLog });
    await follower.start(o);
    await follower.save();
    const { episodes, frames } = await index.stats();
    return { episodes, frames };
  } finally {
    await index.close();
  }
}
