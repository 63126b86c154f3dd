export type { SearchTimings } from "./describe-worker.ts";
export {
  type DescribeImageOptions,
  type Engine,
  type EngineOptions,
  type ImageSearchResult,
  openEngine,
  type SearchImageOptions,
} from "./engine.ts";
export { EngineBusyError } from "./engine-busy-error.ts";
export { CorruptDescriptorsError } from "./episode/corrupt-descriptors-error.ts";
export type { EngineFrame } from "./episode/describe-frames.ts";
export {
  decodeDescriptors,
  type EncodedDescriptors,
  encodeDescriptorChunks,
} from "./episode/descriptor-codec.ts";
export { descriptorVersion, readDescriptorVersion } from "./episode/descriptor-version.ts";
export type { EpisodeDescriptors, RegionDescriptors, Shot } from "./episode/episode-descriptors.ts";
export { decodeFrameTable, encodeFrameTable } from "./episode/frame-table.ts";
export { measureImageDetail } from "./image/decode-image.ts";
export type { ImageDescription, ImageView, Region } from "./image/image-description.ts";
export { ImageError, type ImageErrorCode } from "./image/image-error.ts";
export { imageLimits } from "./image/image-limits.ts";
export { type FrameIndex, openFrameIndex } from "./index/frame-index.ts";
export type { FrameIndexOptions } from "./index/frame-index-worker.ts";
export type {
  FrameStore,
  NearestRequest,
  NearFrame,
  StoredEpisode,
  StoredFrame,
  StoredRange,
  VectorKind,
} from "./index/frame-store.ts";
export { type IndexCacheState, inspectIndexCache } from "./index/index-cache.ts";
export { type Outcome, outcomeOf } from "./index/outcome.ts";
export type { Scene, SceneLocation } from "./index/scene.ts";
export {
  isDetailed,
  type MatchFeatures,
  type ScoreWeights,
  scoreTerms,
  termsOf,
} from "./index/score-match.ts";
export { createStoredIndex, type StoredIndex } from "./index/stored-index.ts";
export { type RivalWeights, rivalTermsOf } from "./index/weigh-rivals.ts";
export { defaultModelFolder, loadModel, type Model, ModelError } from "./model.ts";
export { isStripChunk } from "./strips/strip-chunks.ts";
