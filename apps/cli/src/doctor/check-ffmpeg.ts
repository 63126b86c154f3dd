import { FfmpegMissingError, FfmpegPathError, findFfmpeg, inspectFfmpeg } from "@koma/library/ffmpeg";
import { type CheckContext, type Finding, ok, problem, warning } from "./finding.ts";

/** Checks that ffmpeg and ffprobe run and have the codecs, formats and filters that Koma uses. */
export async function checkFfmpeg({ configuration }: CheckContext): Promise<Finding[]> {
  const found = await findFfmpeg({
    ffmpegPath: configuration.FFMPEG_PATH,
    ffprobePath: configuration.FFPROBE_PATH,
  }).catch((error: unknown) => {
    if (error instanceof FfmpegMissingError || error instanceof FfmpegPathError) return error;
    throw error;
  });
  if (found instanceof FfmpegMissingError) return [warning(found.message)];
  if (found instanceof FfmpegPathError) return [problem(found.message)];
  const { ffmpegPath, ffprobePath, missingParts, missingCodecs } = await inspectFfmpeg(found);
  const isUsable = missingParts.length === 0 && !missingCodecs.some((codec) => commonCodecs.has(codec));
  return [
    ...(isUsable ? [ok(`ffmpeg ${found.version} (${found.origin}: ${ffmpegPath}, ${ffprobePath})`)] : []),
    ...(missingParts.length === 0
      ? []
      : [
          problem(
            `${ffmpegPath} lacks ${missingParts.join(", ")}: install a complete build of ffmpeg, or set FFMPEG_PATH to one.`,
          ),
        ]),
    ...missingCodecs.map((codec) =>
      (commonCodecs.has(codec) ? problem : warning)(
        `${ffmpegPath} cannot decode ${codec}, so such videos cannot be indexed: install a complete build of ffmpeg.`,
      ),
    ),
  ];
}

/** Nearly all releases of anime use one of these. */
const commonCodecs = new Set(["h264", "hevc"]);
