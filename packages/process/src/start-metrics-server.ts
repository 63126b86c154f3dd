import { createServer, type ServerResponse } from "node:http";
import type { Registry } from "prom-client";
import { MetricsPortError } from "./metrics-port-error.ts";

/** A running server of metrics; `url` is the address of the metrics. */
export type MetricsServer = { port: number; url: string; close(): Promise<void> };

/** The status that `/health` reports, without secrets. */
export type HealthStatus = {
  isHealthy: boolean;
  details: { [name: string]: string | number | boolean | null };
};

/**
 * Serves `/metrics` (Prometheus), and with `status` also `/health` (200 if `isHealthy`, else 503; JSON), on
 * `port` of `host`; port 0 selects a free one. Throws MetricsPortError.
 */
export async function startMetricsServer(options: {
  port: number;
  host: string;
  /** The variable that sets the port, for the error message. */
  variable: string;
  registry: Registry;
  status?: () => HealthStatus;
}): Promise<MetricsServer> {
  const { port, host, registry, status } = options;
  const server = createServer((request, response) => {
    const path = (request.url ?? "").split("?")[0];
    if (request.method !== "GET" && request.method !== "HEAD") response.writeHead(405).end();
    else if (path === "/health" && status !== undefined) sendStatus(response, status());
    else if (path === "/metrics") void sendMetrics(response, registry);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => {
      const code = "code" in error ? String(error.code) : error.message;
      const explanation = `The metrics cannot be served on ${host}:${port} (${code}).`;
      reject(new MetricsPortError(`${explanation} Choose another ${options.variable} or KOMA_METRICS_HOST.`));
    });
    server.listen(port, host, resolve);
  });
  const address = server.address();
  const listeningPort = typeof address === "object" && address !== null ? address.port : port;
  return {
    port: listeningPort,
    url: `http://${host.includes(":") ? `[${host}]` : host}:${listeningPort}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function sendStatus(response: ServerResponse, { isHealthy, details }: HealthStatus): void {
  response.writeHead(isHealthy ? 200 : 503, {
    "content-type": "application/json",
    "cache-control": "no-store",
  });
  response.end(JSON.stringify({ status: isHealthy ? "ok" : "unhealthy", ...details }));
}

async function sendMetrics(response: ServerResponse, registry: Registry): Promise<void> {
  try {
    const text = await registry.metrics();
    response.writeHead(200, { "content-type": registry.contentType }).end(text);
  } catch (error) {
    // Only a defect of a metric reaches this: those that can fail are left out.
    response.writeHead(500).end(`${error instanceof Error ? error.message : String(error)}\n`);
  }
}
