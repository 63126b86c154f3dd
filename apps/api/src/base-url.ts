import type { Configuration } from "@koma/config";
import { pageRoutes } from "@koma/contract";
import type { FastifyInstance } from "fastify";

/** The base address of an app: the configured one, or that of the port on which it listens. */
export function readBaseUrl(config: Configuration, app: FastifyInstance | undefined): string {
  if (config.KOMA_BASE_URL !== undefined) return config.KOMA_BASE_URL;
  const address = app?.server.address();
  const port = typeof address === "object" && address !== null ? address.port : config.PORT;
  return toBaseUrl(config.HOST, port);
}

/** The address of a listening server, as a client on this machine uses it. */
export function toBaseUrl(host: string, port: number): string {
  const name = host === "0.0.0.0" || host === "::" ? "localhost" : host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/** The path of a request in absolute form (RFC 9112, section 3.2.2), as proxies write it; other paths as they are. */
export function removeAuthority(requestUrl: string): string {
  const path = requestUrl.replace(/^https?:\/\/[^/?#]*/i, "");
  return path.startsWith("/") || path === requestUrl ? path : `/${path}`;
}

/**
 * Removes the path prefix of the base address from a request's path. Some proxies remove it and some do not,
 * so both forms are served.
 */
export function stripPrefix(requestUrl: string, prefix: string): string {
  if (prefix === "") return requestUrl;
  if (requestUrl === prefix || requestUrl.startsWith(`${prefix}?`))
    return `/${requestUrl.slice(prefix.length)}`;
  if (!requestUrl.startsWith(`${prefix}/`)) return requestUrl;
  const stripped = requestUrl.slice(prefix.length);
  return ownSegments.has(readFirstSegment(stripped)) ? stripped : requestUrl;
}

/** Maps a request to the trace.moe API's own host name to the path of that API among the other endpoints. */
export function addTraceMoePrefix(
  path: string,
  host: string | undefined,
  traceMoeHost: string | undefined,
): string {
  if (traceMoeHost === undefined || host?.replace(/:\d+$/, "").toLowerCase() !== traceMoeHost) return path;
  return path.startsWith("/trace.moe/") ? path : `/trace.moe${path}`;
}

/** The first path segments that this server serves. */
const ownSegments = new Set(
  [
    "/api",
    "/mcp",
    "/trace.moe",
    "/connect",
    "/previews",
    "/docs",
    "/healthz",
    "/readyz",
    "/openapi.json",
    "/assets",
    "/favicon.svg",
    ...pageRoutes.map(({ path }) => path),
  ].map(readFirstSegment),
);

function readFirstSegment(path: string): string {
  return /^\/[^/?]*/.exec(path)?.[0] ?? "";
}
