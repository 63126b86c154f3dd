export { findBrowser, takePicture, takePictures } from "@koma/bot-core/testing/take-picture";
export { openStandIn } from "./open-stand-in.ts";
export { renderMessage } from "./render/render-message.ts";
export type * from "./types.ts";
