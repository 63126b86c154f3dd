export { dayAtNoon } from "./day-at-noon.ts";
export {
  type CheckedResponse,
  findUndocumented,
  type ResponseDocument,
} from "./documented-responses.ts";
export { type RawResponse, sendRawRequest } from "./raw-request.ts";
export { type MetricSample, readMetrics } from "./read-metrics.ts";
export {
  findChromium,
  findTestPgvector,
  hasHnswlib,
} from "./requirements.ts";
export {
  areRootTestsRun,
  areSlowTestsRun,
  areVideoTestsRun,
  configureBotTests,
  patience,
  reporters,
  testFiles,
  testFilesWithVideos,
} from "./test-settings.ts";
