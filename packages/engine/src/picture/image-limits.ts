/**
 * The largest picture that is looked at: size of the file in bytes, width times height as its header states, and bytes of the pixels of an
 * interlaced PNG, which is decoded whole before it can be made smaller.
 */
export const imageLimits = {
  bytes: 10 * 1024 * 1024,
  pixels: 50_000_000,
  interlacedBytes: 128_000_000,
} as const;
