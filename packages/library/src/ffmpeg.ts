/** The search for ffmpeg, for programs that need nothing else of the library. */
export { FfmpegMissingError, type FfmpegTools, findFfmpeg, inspectFfmpeg } from "@koma/media";
