/** What is downloaded at most: a film to take a frame of, a picture to make smaller. */
export const downloadBytes = 50 * 1024 * 1024;

/** What the API takes. */
export const apiLimits = { bytes: 10 * 1024 * 1024, pixels: 50_000_000 } as const;

/** What is decoded at most; more is no screenshot. */
export const decodedPixels = 200_000_000;

/** Memory of a decoder, or of the pixels of a BMP, for formats that the API does not take: an AVIF of 10 megapixels. */
export const decoderLimitBytes = 192 * 1024 * 1024;

/** Longest side of what is made here; the API looks at less. */
export const longestSide = 4096;

export const downloadMs = 30_000;
export const decodingSeconds = 20;
