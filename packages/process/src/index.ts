/** What every process needs, without dependencies; `./log` and `./metrics` have some and are imported on demand. */
export { endProcessAfter } from "./end-process-after.ts";
export { exitCodes } from "./exit-codes.ts";
export { type ExplainedError, explainError, readStack } from "./explain-error.ts";
export { MetricsPortError } from "./metrics-port-error.ts";
export { type Interruption, watchInterruption } from "./watch-interruption.ts";
export { watchShutdown } from "./watch-shutdown.ts";
