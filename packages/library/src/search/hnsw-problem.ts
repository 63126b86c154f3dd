import { loadHnswlib } from "@koma/engine";

/** Returns why the index of `KOMA_INDEX=hnsw` cannot be opened, with the remedy; undefined if it can. */
export async function findHnswProblem(): Promise<string | undefined> {
  try {
    await loadHnswlib();
    return undefined;
  } catch {
    return "KOMA_INDEX=hnsw needs hnswlib-node, which is not compiled: run `npm rebuild hnswlib-node --dangerously-allow-all-scripts` (it needs python3, make and g++, and compiles this package only), or unset KOMA_INDEX.";
  }
}
