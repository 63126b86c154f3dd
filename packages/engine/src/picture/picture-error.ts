/** Why a picture was refused; the same words as the codes of the API. */
export type PictureErrorCode =
  | "image_required"
  | "image_too_large"
  | "image_unreadable"
  | "unsupported_image_type";

/** A picture that cannot be described, with the reason as `code`. */
export class PictureError extends Error {
  override readonly name = "PictureError";
  readonly code: PictureErrorCode;

  constructor(code: PictureErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
