// A thread without work. The delay of its event loop is caused by other programs on the machine.
import { monitorEventLoopDelay } from "node:perf_hooks";
import { parentPort } from "node:worker_threads";

const histogram = monitorEventLoopDelay({ resolution: 10 });
histogram.enable();
parentPort?.on("message", () => {
  parentPort?.postMessage(histogram.percentile(99) / 1e6);
  histogram.reset();
});
