import { isIP } from "node:net";

/**
 * Whether links are logged instead of sent by mail. A reader of the log could take the account over, so this needs
 * `NODE_ENV=development`; without NODE_ENV, the API must listen on a loopback address that is also its base address.
 * Never behind a proxy, whose clients can be anybody.
 */
export function mayLogLinks(api: { host: string; baseUrl: string; isForwarded: boolean }): boolean {
  if (api.isForwarded) return false;
  const environment = process.env.NODE_ENV ?? "";
  if (environment !== "") return environment === "development";
  return isLoopback(api.host) && isLoopback(new URL(api.baseUrl).hostname.replace(/^\[|\]$/g, ""));
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}
