import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { searchAnime } from "@koma/contract";
import { benchEnvironment } from "./config.ts";
import { processorMs } from "./watch-memory.ts";

const server = fileURLToPath(import.meta.resolve("@koma/api/main"));
const monitor = new URL("./loop-monitor.ts", import.meta.url).href;
const healthIntervalMs = 50;
const idleRequests = 200;

/** Durations of single requests in milliseconds; `loopDelayMs` contains p50, p95, p99 and the maximum. */
export type Latency = {
  searchMs: number[];
  healthMs: number[];
  loopDelayMs: number[];
  failures: number;
  /**
   * Processor time of the API and of its embedded database during the searches, and of one request without
   * one.
   */
  cpuMs: number;
  idleRequestCpuMs: number;
};

/** Starts the real API on the library. Clients search one image after the other for some seconds. */
export async function measureLatency(
  images: readonly string[],
  { dataDir, clients, seconds }: { dataDir: string; clients: number; seconds: number },
): Promise<Latency> {
  const bodies = await Promise.all(images.map((image) => readFile(image)));
  const api = spawn(process.execPath, ["--import", monitor, server], {
    env: {
      ...benchEnvironment(dataDir),
      PORT: "0",
      HOST: "127.0.0.1",
      LOG_LEVEL: "warn",
      KOMA_GUEST_SEARCHES_PER_DAY: "1000000000",
      KOMA_REQUESTS_PER_MINUTE: "1000000000",
      // All clients are guests of one network.
      KOMA_GUEST_QUEUED_IMAGES: "10000",
    },
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  try {
    const address = await readyAddress(api);
    for (const body of bodies.slice(0, clients)) await searchOnce(address, body);
    const idleRequestCpuMs = await measureIdleRequests(address, () => processorMs(api.pid, dataDir));
    api.send("start measuring");
    const startedMs = processorMs(api.pid, dataDir);
    const result = await load(address, { bodies, clients, seconds });
    const cpuMs = processorMs(api.pid, dataDir) - startedMs;
    api.send("stop measuring");
    const [report] = await once(api, "message");
    return { ...result, cpuMs, idleRequestCpuMs, loopDelayMs: report.loopDelayMs };
  } finally {
    const ended = once(api, "exit");
    api.kill("SIGTERM");
    await ended;
  }
}

async function measureIdleRequests(address: string, cpuMs: () => number): Promise<number> {
  const startedMs = cpuMs();
  for (let request = 0; request < idleRequests; request++) await (await fetch(`${address}/healthz`)).text();
  return (cpuMs() - startedMs) / idleRequests;
}

async function load(
  address: string,
  { bodies, clients, seconds }: { bodies: Buffer[]; clients: number; seconds: number },
): Promise<Pick<Latency, "searchMs" | "healthMs" | "failures">> {
  const searchMs: number[] = [];
  const healthMs: number[] = [];
  let failures = 0;
  let next = 0;
  const endMs = performance.now() + seconds * 1000;

  async function timed(times: number[], request: () => Promise<Response>): Promise<void> {
    const startedMs = performance.now();
    const response = await request();
    await response.arrayBuffer();
    times.push(performance.now() - startedMs);
    if (!response.ok) failures++;
  }
  async function client(): Promise<void> {
    while (performance.now() < endMs) {
      const body = bodies[next++ % bodies.length];
      if (body !== undefined) await timed(searchMs, () => searchOnce(address, body));
    }
  }
  async function watchHealth(): Promise<void> {
    while (performance.now() < endMs) {
      await timed(healthMs, () => fetch(`${address}/healthz`));
      await sleep(healthIntervalMs);
    }
  }
  await Promise.all([watchHealth(), ...Array.from({ length: clients }, client)]);
  return { searchMs, healthMs, failures };
}

function searchOnce(address: string, body: Buffer): Promise<Response> {
  const form = new FormData();
  form.set("image", new Blob([new Uint8Array(body)]), "picture.jpg");
  return fetch(`${address}${searchAnime.path}`, { method: searchAnime.method, body: form });
}

async function readyAddress(api: ChildProcess): Promise<string> {
  if (api.stdout === null) throw new Error("The API has no standard output.");
  for await (const line of createInterface({ input: api.stdout })) {
    const address = /^ready on (http\S+)$/.exec(line)?.[1];
    if (address !== undefined) {
      api.stdout.resume();
      return address;
    }
  }
  throw new Error("The API exited before it was ready.");
}
