export { dayAtNoon } from "./day-at-noon.ts";
export { type MetricSample, readMetrics } from "./read-metrics.ts";
export { findChromium, findTestDatabase, isEmbeddedTested, requireSystemFfmpeg } from "./requirements.ts";
export { patience, reporters, sourceFirst, testFiles } from "./test-settings.ts";
