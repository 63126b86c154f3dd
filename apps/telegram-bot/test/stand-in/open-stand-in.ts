import type { StandIn, StandInOptions } from "./types.ts";

/** Opens a local Telegram on a free port of this machine. Close it at the end. */
export async function openStandIn(options: StandInOptions = {}): Promise<StandIn> {
  throw new Error(`Not there yet: ${Object.keys(options).join(", ")}`);
}
