/** Fetches images from addresses that others chose, without access to private networks. */
export { type Download, type DownloadOptions, openDownload } from "./download-file.ts";
export { createImageFetch, type FetchImage } from "./fetch-image.ts";
export { ImageFetchError } from "./image-fetch-error.ts";
export { type ImageNetwork, publicNetwork } from "./network.ts";
