import ipaddr from "ipaddr.js";

/** What counts as one guest: an IPv4 address, or the /64 of an IPv6 one (mapped IPv4 counts as IPv4). */
export function toClientNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  return `${Buffer.from(parsed.toByteArray().slice(0, 8)).toString("hex")}/64`;
}
