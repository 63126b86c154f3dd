/** An image that cannot be fetched; `message` describes the reason to the caller. */
export class ImageFetchError extends Error {
  override readonly name = "ImageFetchError";
  readonly code: "url_not_allowed" | "url_fetch_failed" | "image_too_large";

  constructor(code: ImageFetchError["code"], message: string) {
    super(message);
    this.code = code;
  }
}

/** The fetch failed for this reason. */
export function fetchFailed(detail: string): ImageFetchError {
  return new ImageFetchError("url_fetch_failed", detail);
}
