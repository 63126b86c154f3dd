import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { Worker } from "node:worker_threads";
import { type MetricSample, readMetrics } from "@koma/testing";
import type { FuzzCredentials } from "@koma/testing/fuzzing";
import { prepareData, startApi } from "@koma/testing/start-koma";

/** The state of the API process. Delays are p99 since the previous reading, in milliseconds. */
export type TargetState = {
  residentBytes: number;
  workers: number;
  loopDelayMs: number;
  idleDelayMs: number;
};

export type FuzzTarget = Awaited<ReturnType<typeof openFuzzTarget>>;

/** Starts the built API on a data directory of its own with the sample library, without access to other machines. */
export async function openFuzzTarget() {
  const data = await prepareData();
  const metricsPort = await findFreePort();
  const api = await startApi(
    data.dataDir,
    {
      LOG_LEVEL: "error",
      KOMA_METRICS_PORT: String(metricsPort),
      // Every request is from another client network.
      KOMA_TRUSTED_PROXIES: "127.0.0.1",
      KOMA_SIGN_UPS_PER_HOUR: "1000000",
      KOMA_SEARCHES_PER_HOUR: "1000000",
    },
    ["--import", new URL("./block-network.ts", import.meta.url).href],
  );
  const idle = new Worker(new URL("./idle-thread.ts", import.meta.url));

  return {
    url: api.url,
    image: await readFile(data.image),
    credentials: { session: await signUp(api.url), bot: { authorization: `Bearer ${data.botKey}` } },
    /** The lines that the API logged as errors. */
    errors: () => api.log().split("\n").filter(Boolean),
    hasEnded: api.hasEnded,
    async readState(): Promise<TargetState> {
      const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
      const samples = readMetrics(await response.text());
      const reply = once(idle, "message");
      idle.postMessage("read");
      const [idleDelayMs] = (await reply) as [number];
      return {
        residentBytes: readValue(samples, "process_resident_memory_bytes"),
        workers: readValue(samples, "koma_engine_workers"),
        loopDelayMs: readValue(samples, "nodejs_eventloop_lag_p99_seconds") * 1000,
        idleDelayMs,
      };
    },
    async close(): Promise<void> {
      await idle.terminate();
      await api.stop();
      await data.remove();
    },
  };
}

async function signUp(url: string): Promise<NonNullable<FuzzCredentials["session"]>> {
  const response = await fetch(`${url}/api/auth/sign-up/email`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: url },
    body: JSON.stringify({ name: "Fuzz", email: "fuzz@site.example", password: crypto.randomUUID() }),
  });
  if (!response.ok) throw new Error(`The sign-up failed with ${response.status}: ${await response.text()}`);
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(";", 1)[0]);
  return { cookie: cookies.join("; "), origin: url };
}

function readValue(samples: readonly MetricSample[], name: string): number {
  return samples.find((sample) => sample.name === name)?.value ?? Number.NaN;
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("There is no free port.");
  return address.port;
}
