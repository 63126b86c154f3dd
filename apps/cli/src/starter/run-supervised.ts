import { setTimeout as sleep } from "node:timers/promises";
import { waitForGroup } from "./run-child.ts";
import type { ProcessEnd, SupervisedProgram } from "./types.ts";

/**
 * A program that ends with this code needs another configuration, so a restart does not help (EX_CONFIG,
 * sysexits.h).
 */
export const configurationExitCode = 78;

const firstWaitMs = 1_000;
const longestWaitMs = 300_000;
// A program that ran this long did not fail at its start.
const stableAfterMs = 120_000;

/**
 * Runs a program and restarts it when it ends, after a pause that doubles from 1 s to 5 minutes and is reset
 * by a run of 2 minutes. Resolves with the last end: a configuration error, a final end, or the end by the
 * interruption.
 */
export async function runSupervised({
  name,
  start,
  interruption,
  isFinal = () => false,
}: SupervisedProgram): Promise<ProcessEnd> {
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
    const startedMs = performance.now();
    const end = await waitForGroup(start(), interruption);
    if (interruption.signal.aborted || end.code === configurationExitCode || isFinal(end)) return end;
    if (performance.now() - startedMs > stableAfterMs) waitMs = firstWaitMs;
    const how = end.signal ?? `code ${end.code}`;
    process.stderr.write(`The ${name} ended (${how}) and restarts in ${Math.round(waitMs / 1000)} s.\n`);
    await sleep(waitMs, undefined, { signal: interruption.signal }).catch(() => {});
    if (interruption.signal.aborted) return { code: 0, signal: null };
  }
}
