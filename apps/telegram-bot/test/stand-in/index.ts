export { openStandIn } from "./open-stand-in.ts";
export { findBrowser, takePicture, takePictures } from "./render/take-picture.ts";
export type * from "./types.ts";
