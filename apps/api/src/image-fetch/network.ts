import { NODATA, NOTFOUND, Resolver } from "node:dns/promises";
import { connect, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { isHostsName } from "./hosts-file.ts";

/** How pictures behind addresses are reached; tests put a local server in its place. */
export type ImageNetwork = {
  /** The host of the server's base address, which leads to this server. */
  serverHost?: string | undefined;
  /** Addresses of this machine itself, which may be public ones. */
  ownAddresses(): string[];
  /** Whether this machine has an address of its own for a name, whatever the internet says. */
  isLocalName(hostname: string): Promise<boolean>;
  /** All addresses of a host name; none when it does not exist. Throws when that cannot be found out. */
  resolve(hostname: string, signal: AbortSignal): Promise<string[]>;
  /** Starts a TCP connection to an address that was checked; no name is resolved any more. */
  dial(address: string, port: number): Socket;
};

/** The real network. DNS is asked directly, since lookups through the system would each hold a thread for as long as they take. */
export const publicNetwork: ImageNetwork = {
  ownAddresses: () =>
    Object.values(networkInterfaces()).flatMap((addresses) => addresses?.map(({ address }) => address) ?? []),

  isLocalName: (hostname) => isHostsName(hostname),

  async resolve(hostname, signal) {
    const resolver = new Resolver({ timeout: 2000, tries: 2 });
    const cancel = () => resolver.cancel();
    signal.addEventListener("abort", cancel, { once: true });
    try {
      const responses = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
      const addresses = responses.flatMap((response) =>
        response.status === "fulfilled" ? response.value : [],
      );
      const failure = responses.find(
        (response) => response.status === "rejected" && !isAbsence(response.reason),
      );
      if (addresses.length === 0 && failure !== undefined) throw new Error(`no answer for ${hostname}`);
      return addresses;
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  },

  dial: (address, port) => connect({ host: address, port }),
};

function isAbsence(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === NODATA || error.code === NOTFOUND);
}
