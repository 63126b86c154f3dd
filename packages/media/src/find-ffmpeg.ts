export type FfmpegTools = {
  ffmpegPath: string;
  ffprobePath: string;
  version: string;
  origin: "configured" | "system" | "bundled";
  frameTimingOption: "-fps_mode" | "-vsync";
};
export class FfmpegMissingError extends Error {
  override readonly name = "FfmpegMissingError";
}
export async function findFfmpeg(
  _options: {
    ffmpegPath?: string | undefined;
    ffprobePath?: string | undefined;
    origin?: FfmpegTools["origin"] | undefined;
  } = {},
): Promise<FfmpegTools> {
  throw new FfmpegMissingError("soon");
}
