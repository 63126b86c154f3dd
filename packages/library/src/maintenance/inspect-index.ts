import { join } from "node:path";
import { type IndexCacheState, inspectIndexCache, loadModel } from "@koma/engine";
import { findHnswProblem } from "../search/hnsw-problem.ts";
import type { IndexKind } from "../search/search-index.ts";

/** The state of an index. */
export type IndexInspection = {
  modelId: string;
  /** PostgreSQL needs no cache. */
  cache: IndexCacheState | "not_needed";
  /** Why the index cannot be opened, with the remedy. */
  problem: string | undefined;
};

/**
 * The model of this version and the state of the index of a data folder; changes nothing. Throws ModelError.
 */
export async function inspectIndex(dataDir: string, kind: IndexKind = "embedded"): Promise<IndexInspection> {
  const model = await loadModel();
  const implementation = kind === "hnsw" ? "hnsw" : "lists";
  const cache = await inspectIndexCache(join(dataDir, "index"), model, implementation);
  return {
    modelId: model.id,
    cache: kind === "postgres" ? "not_needed" : cache,
    problem: kind === "hnsw" ? await findHnswProblem() : undefined,
  };
}
