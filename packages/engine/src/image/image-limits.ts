/** The largest picture that is decoded: size of the file in bytes, and width times height as its header states. */
export const imageLimits = {
  bytes: 10 * 1024 * 1024,
  pixels: 50_000_000,
} as const;
