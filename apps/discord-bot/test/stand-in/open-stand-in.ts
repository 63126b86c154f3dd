import type { StandIn, StandInOptions } from "./types.ts";

/** Opens a local Discord on a free port of this machine. Close it at the end. */
export function openStandIn(_options: StandInOptions = {}): Promise<StandIn> {
  throw new Error("The stand-in is being built.");
}
