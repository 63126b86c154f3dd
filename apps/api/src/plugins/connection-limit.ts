import { isIP } from "node:net";
import { listLimitedNetworks } from "@koma/accounts";
import type { FastifyInstance } from "fastify";
import ipaddr from "ipaddr.js";
import { toClientAddress, toClientNetwork } from "../client-network.ts";

/**
 * Closes connections above the limit of a client network or its wider networks. Loopback addresses and trusted
 * proxies are exempt.
 */
export function registerConnectionLimit(
  app: FastifyInstance,
  options: { perAddress: number; trustedProxies: readonly string[] },
): void {
  const trusted = options.trustedProxies.map(toRange);
  const connections = new Map<string, number>();

  app.server.on("connection", (socket) => {
    const address = toClientAddress(socket.remoteAddress ?? "");
    if (isIP(address) === 0 || isExempt(address)) return;
    const networks = listLimitedNetworks(toClientNetwork(address));
    const count = (network: string) => connections.get(network) ?? 0;
    if (networks.some(({ network, times }) => count(network) >= times * options.perAddress)) {
      socket.destroy();
      return;
    }
    for (const { network } of networks) connections.set(network, count(network) + 1);
    socket.once("close", () => {
      for (const { network } of networks) {
        const left = count(network) - 1;
        if (left === 0) connections.delete(network);
        else connections.set(network, left);
      }
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
