import { isIP } from "node:net";

/**
 * Whether links that would go out by mail may be logged instead. Whoever reads such a link takes the account over, so it has to
 * be said (`NODE_ENV=development`), or, where nothing is said, nobody but this machine can ask: the API listens on a loopback
 * address, and that is its base address too.
 */
export function mayLogLinks(api: { host: string; baseUrl: string }): boolean {
  const environment = process.env.NODE_ENV ?? "";
  if (environment !== "") return environment === "development";
  return isLoopback(api.host) && isLoopback(new URL(api.baseUrl).hostname.replace(/^\[|\]$/g, ""));
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}
