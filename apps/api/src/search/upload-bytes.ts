import type { Configuration } from "@koma/config";
import type { UploadLimits } from "./upload-budget.ts";

const MIB = 1024 ** 2;
/** The largest image, as a form and as a file. */
const leastBytes = 32 * MIB;

type Configured = Pick<
  Configuration,
  "KOMA_UPLOAD_POOL_MIB" | "KOMA_UPLOAD_NETWORK_MIB" | "KOMA_UPLOAD_CALLER_MIB"
>;

/**
 * The memory for images: as configured, otherwise 256 MiB, but at most an eighth of the memory limit of the
 * process, and for one network or caller at most half of it.
 */
export function chooseUploadBytes(
  config: Configured,
  limitBytes: number,
): Pick<UploadLimits, "poolBytes" | "networkBytes" | "callerBytes"> {
  const choose = (configuredMiB: number | undefined, usualMiB: number, mostBytes: number) =>
    configuredMiB === undefined
      ? Math.max(leastBytes, Math.min(usualMiB * MIB, mostBytes))
      : configuredMiB * MIB;
  const poolBytes = choose(config.KOMA_UPLOAD_POOL_MIB, 256, limitBytes / 8);
  return {
    poolBytes,
    networkBytes: choose(config.KOMA_UPLOAD_NETWORK_MIB, 128, poolBytes / 2),
    callerBytes: choose(config.KOMA_UPLOAD_CALLER_MIB, 96, poolBytes / 2),
  };
}
