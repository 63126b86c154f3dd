import { readMetrics } from "@koma/testing";
import { Gauge } from "prom-client";
import { expect, test } from "vitest";
import { createRegistry, startMetricsServer } from "../src/metrics.ts";
import { MetricsPortError } from "../src/metrics-port-error.ts";

const options = { port: 0, host: "127.0.0.1", variable: "KOMA_METRICS_PORT" };

test("serves the metrics of the process, and no status without one", async () => {
  const server = await startMetricsServer({ ...options, registry: createRegistry({ platform: "test" }) });
  const response = await fetch(server.url);
  expect(response.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
  expect(readMetrics(await response.text())).toContainEqual({
    name: "process_resident_memory_bytes",
    labels: { platform: "test" },
    value: expect.any(Number),
  });
  expect((await fetch(new URL("/health", server.url))).status).toBe(404);
  await server.close();
});

test("responds with 500 when a metric throws, and continues", async () => {
  const registry = createRegistry();
  let isBroken = true;
  new Gauge({
    name: "fragile",
    help: "Throws once.",
    registers: [registry],
    collect() {
      if (isBroken) throw new Error("the metric is broken");
      this.set(1);
    },
  });
  const server = await startMetricsServer({ ...options, registry });
  const broken = await fetch(server.url);
  expect([broken.status, await broken.text()]).toEqual([500, "the metric is broken\n"]);
  isBroken = false;
  expect((await fetch(server.url)).status).toBe(200);
  await server.close();
});

test("rejects a port that is in use, with the variable to change", async () => {
  const server = await startMetricsServer({ ...options, registry: createRegistry() });
  const again = startMetricsServer({ ...options, port: server.port, registry: createRegistry() });
  await expect(again).rejects.toThrow(MetricsPortError);
  await expect(again).rejects.toThrow(/EADDRINUSE.*KOMA_METRICS_PORT/);
  await server.close();
});
