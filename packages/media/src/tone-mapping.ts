import type { FfmpegTools } from "./ffmpeg-tools.ts";
import { readNames } from "./inspect-ffmpeg.ts";

/**
 * Returns the filters that map the brightness of a video with high dynamic range (PQ or HLG, ITU-R BT.2100) to BT.709, as
 * players show it on other screens; without them it is grey. Empty for other videos, and where ffmpeg is built without
 * zscale.
 */
export async function chooseToneMapping(tools: FfmpegTools, transfer: string | undefined): Promise<string> {
  if (transfer === undefined || !highRanges.has(transfer)) return "";
  const filters = await readFilters(tools.ffmpegPath);
  if (!filters.has("zscale") || !filters.has("tonemap")) return "";
  return [
    // The other properties are often missing; BT.2100 has one value for each. White is at 203 cd/m2 (BT.2408).
    `zscale=tin=${transfer}:pin=bt2020:min=bt2020nc:t=linear:npl=203,format=gbrpf32le,zscale=p=bt709`,
    "tonemap=mobius:peak=10:desat=0,zscale=t=bt709:m=bt709:r=tv,format=yuv444p,",
  ].join(",");
}

const highRanges = new Set(["smpte2084", "arib-std-b67"]);

const filtersByPath = new Map<string, Promise<Set<string>>>();

function readFilters(ffmpegPath: string): Promise<Set<string>> {
  const filters = filtersByPath.get(ffmpegPath) ?? readNames(ffmpegPath, "filter");
  filtersByPath.set(ffmpegPath, filters);
  return filters;
}
