import { isIP } from "node:net";
import type { FastifyInstance } from "fastify";
import ipaddr from "ipaddr.js";
import { toClientAddress } from "../client-network.ts";

/** Closes connections above the limit of one address. Loopback addresses and trusted proxies are exempt. */
export function registerConnectionLimit(
  app: FastifyInstance,
  options: { perAddress: number; trustedProxies: readonly string[] },
): void {
  const trusted = options.trustedProxies.map(toRange);
  const connections = new Map<string, number>();

  app.server.on("connection", (socket) => {
    const address = toClientAddress(socket.remoteAddress ?? "");
    if (isIP(address) === 0 || isExempt(address)) return;
    const count = (connections.get(address) ?? 0) + 1;
    if (count > options.perAddress) {
      socket.destroy();
      return;
    }
    connections.set(address, count);
    socket.once("close", () => {
      const left = (connections.get(address) ?? 1) - 1;
      if (left === 0) connections.delete(address);
      else connections.set(address, left);
    });
  });

  function isExempt(address: string): boolean {
    const parsed = ipaddr.parse(address);
    return (
      parsed.range() === "loopback" ||
      trusted.some(([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits))
    );
  }
}

function toRange(written: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  if (written.includes("/")) return ipaddr.parseCIDR(written);
  const address = ipaddr.process(written);
  return [address, address.kind() === "ipv4" ? 32 : 128];
}
