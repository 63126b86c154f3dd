/** What every process needs, without dependencies; `./log` and `./metrics` have some and are imported on demand. */
export { type Interruption, watchInterruption } from "./watch-interruption.ts";
