export {
  CorruptDescriptorsError,
  decodeDescriptors,
  encodeDescriptorChunks,
  encodeFrameTable,
} from "./descriptor-codec.ts";
export { type Engine, type EngineFrame, type EngineOptions, openEngine } from "./engine.ts";
export { EngineBusyError } from "./engine-busy-error.ts";
export type { EpisodeDescriptors, Shot } from "./episode-descriptors.ts";
export { type FrameIndex, type FrameIndexOptions, openFrameIndex } from "./frame-index.ts";
export { imageLimits } from "./image-limits.ts";
export { defaultModelFolder, loadModel, type Model } from "./model.ts";
export type { PictureDescription, PictureView, Region } from "./picture-description.ts";
export { PictureError, type PictureErrorCode } from "./picture-error.ts";
export type { Scene } from "./scene.ts";
