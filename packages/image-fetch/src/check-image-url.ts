import { isIP } from "node:net";
import { ImageFetchError } from "./image-fetch-error.ts";
import type { ImageNetwork } from "./network.ts";
import { isAmong, isPublicAddress } from "./public-address.ts";

/** An address that may be fetched, with the checked addresses of its host, IPv4 first. */
export type CheckedUrl = { url: URL; addresses: string[] };

/**
 * Checks an address before a request is sent to it: scheme, port, credentials, and every address that its
 * host is or resolves to. Each must be public and not an address of this machine. `URL` has normalized
 * 2130706433, 0x7f.1 and similar forms to 127.0.0.1.
 */
export async function checkImageUrl(
  written: string,
  base: URL | undefined,
  network: ImageNetwork,
  signal: AbortSignal,
): Promise<CheckedUrl> {
  if (!URL.canParse(written, base?.href)) throw notAllowed("This is not an http or https address.");
  const url = new URL(written, base);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw notAllowed("Only http and https addresses can be fetched.");
  }
  if (url.username !== "" || url.password !== "")
    throw notAllowed("An address with a user or password is rejected.");
  if (!isWebPort(url.port)) throw notAllowed("Only the ports 80, 443 and those from 1024 can be fetched.");
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const addresses = isIP(host) ? [host] : await resolveName(host, network, signal);
  const own = [...network.ownAddresses(), ...(await findServerAddresses(network, signal))];
  if (!addresses.every((address) => isPublicAddress(address) && !isAmong(address, own))) throw notPublic();
  return { url, addresses: addresses.toSorted((a, b) => isIP(a) - isIP(b)) };
}

/**
 * Behind NAT, no interface has the public address of this server. The host of the base address resolves to
 * it.
 */
async function findServerAddresses(network: ImageNetwork, signal: AbortSignal): Promise<string[]> {
  const { serverHost } = network;
  if (serverHost === undefined || isIP(serverHost)) return serverHost === undefined ? [] : [serverHost];
  return await network.resolve(serverHost, signal).catch(() => []);
}

async function resolveName(hostname: string, network: ImageNetwork, signal: AbortSignal): Promise<string[]> {
  if (/(?:^|\.)localhost\.?$/.test(hostname) || (await network.isLocalName(hostname))) throw notPublic();
  const addresses = await network.resolve(hostname, signal).catch((): string[] => []);
  if (addresses.length === 0) {
    throw new ImageFetchError("url_fetch_failed", "The name of the host cannot be resolved.");
  }
  return addresses;
}

/** Ports below 1024 belong to other services, which could misinterpret a request. */
function isWebPort(port: string): boolean {
  return port === "" || port === "80" || port === "443" || Number(port) >= 1024;
}

function notPublic(): ImageFetchError {
  return notAllowed("The address leads to a host that is not public.");
}

function notAllowed(detail: string): ImageFetchError {
  return new ImageFetchError("url_not_allowed", detail);
}
