import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";
import ipaddr from "ipaddr.js";

/** What a request counts as: the network of its client. */
export function readClientNetwork(request: Hops): string {
  return toClientNetwork(readClientAddress(request));
}

/**
 * Who sends a request: the peer, or what trusted proxies say. What is no address ("unknown", say) is nobody, and then it is the
 * nearest hop that is known.
 */
export function readClientAddress({ ip, ips = [ip] }: Hops): string {
  // Whoever has hung up has no address any more.
  const hops = ips.map((hop: string | undefined) => toClientAddress(hop ?? ""));
  return hops.findLast((hop) => isIP(hop) !== 0) ?? "nowhere";
}

type Hops = Pick<FastifyRequest, "ip" | "ips">;

/** What counts as one guest: an IPv4 address, or the /64 of an IPv6 one (mapped IPv4 counts as IPv4). */
export function toClientNetwork(seen: string): string {
  const address = toClientAddress(seen);
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.parse(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  return `${Buffer.from(parsed.toByteArray().slice(0, 8)).toString("hex")}/64`;
}

/** An address as it is compared: without port and zone, and mapped IPv4 as IPv4. */
export function toClientAddress(seen: string): string {
  // Some proxies write the port too, which would make a guest of each connection.
  const address = seen.replace(/^([\d.]+):\d+$|^\[([^\]]+)\](?::\d+)?$/, "$1$2").replace(/%.*$/, "");
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address;
}
