export { openStandIn } from "./open-stand-in.ts";
export { renderMessage } from "./render/render-message.ts";
export { findBrowser, takePicture, takePictures } from "./render/take-picture.ts";
export type * from "./types.ts";
