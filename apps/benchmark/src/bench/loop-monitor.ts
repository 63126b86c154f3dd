// Loaded into the API with `node --import`: measures the delay of its event loop and reports it on request.
import { monitorEventLoopDelay } from "node:perf_hooks";

const resolutionMs = 2;
const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
histogram.enable();

process.on("message", (message) => {
  if (message === "start measuring") histogram.reset();
  if (message !== "stop measuring") return;
  // The histogram contains times between two ticks, of which one resolution is no delay.
  const toMs = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - resolutionMs);
  const loopDelayMs = [50, 95, 99].map((share) => toMs(histogram.percentile(share)));
  process.send?.({ loopDelayMs: [...loopDelayMs, toMs(histogram.max)] });
});
// The listener alone must not keep the API running.
process.channel?.unref();
