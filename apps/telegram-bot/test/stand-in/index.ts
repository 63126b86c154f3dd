export { findBrowser, takePicture, takePictures } from "@koma/bot-core/testing/take-picture";
export { openStandIn } from "./open-stand-in.ts";
export type * from "./types.ts";
