import type { Configuration } from "@koma/config";
import { createUpstreams, type Upstreams } from "@koma/library";

/** The other services that the configuration names. */
export function createConfiguredUpstreams(
  config: Configuration,
  version: string,
  onLog: (message: string) => void,
): Upstreams {
  return createUpstreams({ upstreams: config.KOMA_UPSTREAMS, userAgent: `Koma/${version}`, onLog });
}
