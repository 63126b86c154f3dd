/** ffmpeg or ffprobe was stopped from outside, such as with the whole service: the video may be in order. */
export class ToolStoppedError extends Error {
  override readonly name = "ToolStoppedError";
}
