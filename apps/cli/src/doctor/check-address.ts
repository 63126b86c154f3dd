import { isIP } from "node:net";
import { type CheckContext, type Finding, ok, warning } from "./finding.ts";

/**
 * Checks that the base address fits the address that the API listens on, and that a proxy in front is
 * trusted.
 */
export async function checkAddress({ configuration }: CheckContext): Promise<Finding[]> {
  const { HOST: host, KOMA_BASE_URL: baseUrl, KOMA_TRUSTED_PROXIES: proxies } = configuration;
  if (baseUrl === undefined) {
    if (isLoopback(host)) return [ok("Only this machine reaches the API.")];
    return [
      warning(
        `KOMA_BASE_URL is unset although ${host} is reachable from other machines: set it to the address that people use.`,
      ),
    ];
  }
  const { protocol, hostname } = new URL(baseUrl);
  const isPublic = !isLoopback(hostname.replace(/^\[|\]$/g, ""));
  if (protocol === "http:" && isPublic) {
    return [
      warning(
        `${baseUrl} transfers passwords unencrypted: serve Koma by HTTPS, and set KOMA_BASE_URL to that address.`,
      ),
    ];
  }
  // Koma itself serves HTTP, so HTTPS means a proxy.
  if (protocol === "https:" && proxies.length === 0) {
    return [
      warning(
        "KOMA_TRUSTED_PROXIES is unset, so the limits count all clients of the HTTPS proxy as one: set it to the address of the proxy.",
      ),
    ];
  }
  return [ok(baseUrl)];
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}
