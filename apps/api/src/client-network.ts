import ipaddr from "ipaddr.js";

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
