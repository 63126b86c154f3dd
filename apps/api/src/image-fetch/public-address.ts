import ipaddr from "ipaddr.js";

/**
 * True for an address of the public internet. Everything with a special purpose (IANA registries of RFC 6890) is not:
 * loopback, private, shared, link-local, multicast, documentation, and IPv6 forms that lead to an IPv4 address
 * (mapped, translated, 6to4, Teredo).
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || address.includes("%")) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  return parsed.kind() === "ipv4" || parsed.match(globalUnicast);
}

/** Whether an address is one of these, however each is written. */
export function isAmong(address: string, others: readonly string[]): boolean {
  const name = toComparable(address);
  return others.some((other) => toComparable(other) === name);
}

function toComparable(address: string): string {
  const bare = address.replace(/%.*/, "");
  return ipaddr.isValid(bare) ? ipaddr.process(bare).toNormalizedString() : bare;
}

/** Only 2000::/3 is assigned for global use (RFC 4291); outside of it lie ::/96 and other forgotten ranges. */
const globalUnicast = ipaddr.parseCIDR("2000::/3");
