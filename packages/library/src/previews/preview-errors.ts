/** Too many previews wait to be cut; the caller may try again later. */
export class PreviewBusyError extends Error {
  override readonly name = "PreviewBusyError";

  constructor() {
    super("Too many previews are being created.");
  }
}

/** The episode or its video no longer exists or is unreadable, or there is no ffmpeg, so no preview can be cut. */
export class PreviewGoneError extends Error {
  override readonly name = "PreviewGoneError";
}

/** No machine that has the video creates the preview in time; the caller may try again later. */
export class PreviewUnavailableError extends Error {
  override readonly name = "PreviewUnavailableError";

  constructor() {
    super("No machine that has the video of this episode responds.");
  }
}
