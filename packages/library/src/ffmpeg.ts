/** The search for ffmpeg, for programs that need nothing else of the library. */
export { FfmpegMissingError, FfmpegPathError, findFfmpeg, inspectFfmpeg } from "@koma/media";
