/** The largest image that is decoded: size of the file in bytes, and width times height in its header. */
export const imageLimits = {
  bytes: 10 * 1024 * 1024,
  pixels: 50_000_000,
} as const;
