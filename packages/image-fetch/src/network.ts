import { NODATA, NOTFOUND, Resolver } from "node:dns/promises";
import { connect, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { isHostsName } from "./hosts-file.ts";

/** The network that image addresses are fetched from. Tests replace it with local servers. */
export type ImageNetwork = {
  /** The host of the server's base address, which resolves to this server. */
  serverHost?: string | undefined;
  /** The addresses of this machine, which can be public. */
  ownAddresses(): string[];
  /** True if this machine resolves the name locally, whatever DNS returns. */
  isLocalName(hostname: string): Promise<boolean>;
  /** All addresses of a host name; empty if it does not exist. Throws when the resolution fails. */
  resolve(hostname: string, signal: AbortSignal): Promise<string[]>;
  /** Opens a TCP connection to a checked address, without resolving a name again. */
  dial(address: string, port: number): Socket;
};

/**
 * The real network. DNS is queried directly, because each lookup through the system occupies a thread until
 * it ends.
 */
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
      if (addresses.length === 0 && failure !== undefined) throw new Error(`no response for ${hostname}`);
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
