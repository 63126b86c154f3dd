import ipaddr from "ipaddr.js";

/**
 * True for an address of the public internet. Special-purpose addresses (IANA registries of RFC 6890) are
 * not: loopback, private, shared, link-local, multicast, documentation, and IPv6 forms that contain an IPv4
 * address (mapped, translated, 6to4, Teredo).
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || address.includes("%")) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  return parsed.kind() === "ipv4" || parsed.match(globalUnicast);
}

/** True if the list contains the address, in whatever notation. */
export function isAmong(address: string, others: readonly string[]): boolean {
  const name = toComparable(address);
  return others.some((other) => toComparable(other) === name);
}

function toComparable(address: string): string {
  const bare = address.replace(/%.*/, "");
  return ipaddr.isValid(bare) ? ipaddr.process(bare).toNormalizedString() : bare;
}

/** Only 2000::/3 is assigned for global use (RFC 4291). ::/96 and other obsolete ranges are outside of it. */
const globalUnicast = ipaddr.parseCIDR("2000::/3");
