import { parentPort, workerData } from "node:worker_threads";
import { detectLabels } from "./detect-labels.ts";

// A thread of its own: the pairs of twelve episodes take seconds of processor time.
parentPort?.postMessage(detectLabels(workerData.episodes, workerData.needed));
