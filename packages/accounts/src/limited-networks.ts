/** A network that a limit counts, and how many times the limit of one guest it has. */
export type LimitedNetwork = { network: string; times: number };

/**
 * The networks that a request from a client network counts for, the client network first. A household or a
 * server has an IPv6 /56 or /48, so 256 or 65,536 networks of 64 bits: the sum over a /56 has four times the
 * limit of a /64, and the sum over a /48 `siteTimes` that limit. An IPv4 address, and any other client (the chat
 * user of a bot, for example), counts alone.
 *
 * `network` is an address of IPv4, or a /64 as 16 hexadecimal digits with "/64", or as the complete address
 * that better-auth derives from it.
 */
export function listLimitedNetworks(network: string, { siteTimes = 8 } = {}): LimitedNetwork[] {
  const own = { network, times: 1 };
  if (!/^(?:[0-9a-f]{16}\/64|[0-9a-f]{4}(?::[0-9a-f]{4}){7})$/.test(network)) return [own];
  const digits = network.replaceAll(":", "");
  return [
    own,
    { network: `${digits.slice(0, 14)}/56`, times: 4 },
    { network: `${digits.slice(0, 12)}/48`, times: siteTimes },
  ];
}
