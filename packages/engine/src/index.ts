export { type Engine, type EngineOptions, openEngine } from "./engine.ts";
export { EngineBusyError } from "./engine-busy-error.ts";
export { CorruptDescriptorsError } from "./episode/corrupt-descriptors-error.ts";
export type { EngineFrame } from "./episode/describe-frames.ts";
export {
  decodeDescriptors,
  type EncodedDescriptors,
  encodeDescriptorChunks,
} from "./episode/descriptor-codec.ts";
export type { EpisodeDescriptors, Shot } from "./episode/episode-descriptors.ts";
export { encodeFrameTable } from "./episode/frame-table.ts";
export { type FrameIndex, type FrameIndexOptions, openFrameIndex } from "./index/frame-index.ts";
export { type Grounds, type Judgement, judge, termsOf } from "./index/judge.ts";
export type { Scene, ScenePlace } from "./index/scene.ts";
export { defaultModelFolder, loadModel, type Model, ModelError } from "./model.ts";
export { imageLimits } from "./picture/image-limits.ts";
export type { PictureDescription, PictureView, Region } from "./picture/picture-description.ts";
export { PictureError, type PictureErrorCode } from "./picture/picture-error.ts";
