import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";
import ipaddr from "ipaddr.js";

/** The client network that the limits count a request for. */
export function readClientNetwork(request: Hops): string {
  return toClientNetwork(readClientAddress(request));
}

/**
 * The client address: the peer's, or the one that trusted proxies forward. A forwarded value that is no
 * address ("unknown", for example) is skipped for the nearest valid hop.
 */
export function readClientAddress({ ip, ips = [ip] }: Hops): string {
  // The address of a closed connection is undefined.
  const hops = ips.map((hop: string | undefined) => toClientAddress(hop ?? ""));
  return hops.findLast((hop) => isIP(hop) !== 0) ?? "nowhere";
}

type Hops = Pick<FastifyRequest, "ip" | "ips">;

/**
 * The unit that counts as one guest: an IPv4 address, or the /64 of an IPv6 address. Mapped IPv4 counts as
 * IPv4.
 */
export function toClientNetwork(seen: string): string {
  const address = toClientAddress(seen);
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.parse(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  return `${Buffer.from(parsed.toByteArray().slice(0, 8)).toString("hex")}/64`;
}

/** The normalized form of an address: without port and zone, and mapped IPv4 as IPv4. */
export function toClientAddress(seen: string): string {
  // Some proxies append the port, which would make each connection a separate guest.
  const address = seen.replace(/^([\d.]+):\d+$|^\[([^\]]+)\](?::\d+)?$/, "$1$2").replace(/%.*$/, "");
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address;
}
