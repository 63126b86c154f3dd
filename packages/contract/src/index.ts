export { Anime, Episode } from "./anime.ts";
export {
  Configuration,
  ConfigurationError,
  describeConfiguration,
  parseConfiguration,
} from "./configuration.ts";
export { defineEndpoint, type Endpoint, type Reply } from "./endpoint.ts";
export { endpoints } from "./endpoints.ts";
export { AnimeList, findAnime } from "./find-anime.ts";
export { getQuota } from "./get-quota.ts";
export { getHealth, getReadiness, Health, Readiness } from "./health.ts";
export { Match, Region } from "./match.ts";
export { describeApi, type OpenApiObject } from "./open-api.ts";
export { type FoundScene, presentAnime, presentMatch, type StoredAnime } from "./present-match.ts";
export { getClip, getStill, PreviewSize } from "./previews.ts";
export { type ErrorCode, Problem, problems } from "./problem.ts";
export { Quota } from "./quota.ts";
export { matchLimit, SearchResult, searchAnime } from "./search-anime.ts";
