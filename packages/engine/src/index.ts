export type { SearchTimings } from "./describe-worker.ts";
export {
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
export { isStripChunk } from "./episode/strip-chunks.ts";
export type { FrameImplementationName } from "./frame-index/frame-implementation.ts";
export type {
  FrameStore,
  NearestRequest,
  StoredEpisode,
  StoredRange,
  VectorKind,
} from "./frame-index/frame-store.ts";
export { type IndexCacheState, inspectIndexCache } from "./frame-index/index-cache.ts";
export { createStoredIndex, type StoredIndex } from "./frame-index/stored-index.ts";
export { type FrameIndex, openFrameIndex } from "./frame-index.ts";
export type { FrameIndexOptions } from "./frame-index-worker.ts";
export { measureImageDetail } from "./image/decode-image.ts";
export type { ImageDescription, ImageView, Region } from "./image/image-description.ts";
export { ImageError, type ImageErrorCode } from "./image/image-error.ts";
export { imageLimits } from "./image/image-limits.ts";
export { defaultModelFolder, loadModel, type Model, ModelError } from "./model/model.ts";
export { type RivalWeights, type ScoreWeights, scoreTerms } from "./model/score-weights.ts";
export { loadHnswlib } from "./nearest-neighbours/frame-graph.ts";
export { type Outcome, outcomeOf } from "./search/outcome.ts";
export type { Scene, SceneLocation } from "./search/scene.ts";
export { isDetailed, termsOf } from "./search/score-match.ts";
export { rivalTermsOf } from "./search/weigh-rivals.ts";
export type { MatchFeatures } from "./verification/match-features.ts";
