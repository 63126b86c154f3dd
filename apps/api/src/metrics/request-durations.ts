import type { FastifyInstance } from "fastify";
import { Histogram, type Registry } from "prom-client";

/** Records the duration of every response by the template of its route, never by its address. */
export function registerRequestDurations(app: FastifyInstance, registry: Registry): void {
  const durations = new Histogram({
    name: "koma_http_request_duration_seconds",
    help: "Duration of HTTP requests by route template and class of the status.",
    registers: [registry],
    labelNames: ["method", "route", "status"],
    buckets: [0.005, 0.025, 0.1, 0.25, 1, 2.5, 10, 60],
  });
  app.addHook("onResponse", async (request, reply) => {
    const { url } = request.routeOptions;
    const isKnown = !request.is404 && url !== undefined;
    const labels = {
      method: isKnown ? request.method : "any",
      route: isKnown ? url : "unknown",
      status: `${Math.floor(reply.statusCode / 100)}xx`,
    };
    durations.observe(labels, reply.elapsedTime / 1000);
  });
}
