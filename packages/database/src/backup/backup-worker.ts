import { parentPort, workerData } from "node:worker_threads";
import { backUpToFolder } from "./backup-folder.ts";

// A thread of its own: a backup of a million frames takes minutes of processor time. A message stops it.
const stopping = new AbortController();
parentPort?.once("message", () => stopping.abort());
const { at } = await backUpToFolder({ ...workerData, signal: stopping.signal });
parentPort?.postMessage(at);
