import { availableParallelism, totalmem } from "node:os";

const MIB = 1024 ** 2;
/** Memory of a process without workers: the program, the index of a small library and running uploads. */
const baseBytes = 512 * MIB;
/** Memory of a worker: the model, and the decoded pixels of the largest image that the limits admit. */
const workerBytes = 256 * MIB;

/** The memory in bytes that this process may use: that of the machine, or the limit of its container. */
export function readMemoryLimit(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}

/** Worker threads for the processors and the memory limit: at least one, at most four. */
export function chooseWorkerCount(
  limitBytes: number = readMemoryLimit(),
  processors: number = availableParallelism(),
): number {
  return Math.max(1, Math.min(4, processors, Math.floor((limitBytes - baseBytes) / workerBytes)));
}
