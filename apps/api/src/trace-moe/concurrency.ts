import type { Caller } from "../caller.ts";
import { TraceMoeError } from "./trace-moe-error.ts";

/** trace.moe permits guests one search at a time, and accounts one to four. */
const [ofGuest, ofAccount] = [1, 4];

/** The searches that a caller may run at the same time. */
export function toConcurrency({ kind }: Caller): number {
  return kind === "guest" ? ofGuest : ofAccount;
}

/** Counts the searches of each caller in this process. */
export function createConcurrency() {
  const running = new Map<string, number>();
  return {
    /** Begins a search and returns the function that ends it. Throws TraceMoeError 402. */
    enter(caller: Caller): () => void {
      const before = running.get(caller.hash) ?? 0;
      if (before >= toConcurrency(caller)) throw new TraceMoeError(402, "Concurrency limit exceeded");
      running.set(caller.hash, before + 1);
      return () => {
        const left = (running.get(caller.hash) ?? 1) - 1;
        if (left === 0) running.delete(caller.hash);
        else running.set(caller.hash, left);
      };
    },
  };
}
