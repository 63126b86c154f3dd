import { join } from "node:path";
import { type IndexCacheState, inspectIndexCache, loadModel } from "@koma/engine";

/**
 * The model of this version and the state of the index cache in a data folder; changes nothing. Throws
 * ModelError.
 */
export async function inspectIndex(dataDir: string): Promise<{ modelId: string; cache: IndexCacheState }> {
  const model = await loadModel();
  return { modelId: model.id, cache: await inspectIndexCache(join(dataDir, "index"), model) };
}
