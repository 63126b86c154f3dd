/** Why an image was rejected; equal to the error codes of the API. */
export type ImageErrorCode =
  | "image_required"
  | "image_too_large"
  | "image_unreadable"
  | "unsupported_image_type";

/** An image that cannot be described, with the reason as `code`. */
export class ImageError extends Error {
  override readonly name = "ImageError";
  readonly code: ImageErrorCode;

  constructor(code: ImageErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
