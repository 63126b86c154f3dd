/** All processes of ffmpeg and ffprobe: probe a video, stream its frames, extract a still, cut a clip. */
export type { Borders } from "./borders.ts";
export { type ClipOptions, cutClip } from "./cut-clip.ts";
export { extractStill, type StillOptions } from "./extract-still.ts";
export type { FfmpegTools } from "./ffmpeg-tools.ts";
export { findBorders } from "./find-borders.ts";
export { FfmpegMissingError, FfmpegPathError, findFfmpeg } from "./find-ffmpeg.ts";
export { FrameGapError } from "./frame-gap-error.ts";
export { type FrameStreamOptions, openFrameStream, type RawStill, type VideoFrame } from "./frame-stream.ts";
export { type FfmpegInspection, inspectFfmpeg } from "./inspect-ffmpeg.ts";
export { isVideoFile } from "./is-video-file.ts";
export { limitTools } from "./limit-tools.ts";
export { probeVideo, type VideoInfo } from "./probe-video.ts";
export { ToolStoppedError } from "./tool-stopped-error.ts";
export { UnreadableVideoError } from "./unreadable-video-error.ts";
export { type UntrustedVideo, withUntrustedVideo } from "./with-untrusted-video.ts";
