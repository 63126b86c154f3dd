import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from "node:net";
import type { ImageNetwork } from "../../src/network.ts";

/** Public addresses that the tests map to servers of this machine. */
export const publicAddress = "93.184.216.34";
export const otherPublicAddress = "93.184.216.35";
/** Public addresses of the fetching machine. */
export const ownAddresses = ["93.184.216.99", "2a00:1450:4001:0::99"];

/**
 * A network in which every public host is a local server. It records resolved names and dialled addresses.
 */
export async function openFakeInternet(hosts: Record<string, string[] | (() => string[])>) {
  const servers: { close(): void }[] = [];
  const portOf = new Map<string, number>();
  const dialled: string[] = [];
  const resolved: string[] = [];

  const network: ImageNetwork = {
    ownAddresses: () => ownAddresses,
    isLocalName: async (hostname) => hostname === "database.example",
    async resolve(hostname) {
      resolved.push(hostname);
      const known = hosts[hostname] ?? [];
      return typeof known === "function" ? known() : known;
    },
    dial(address, port) {
      dialled.push(`${address}:${port}`);
      const target = portOf.get(address);
      // A closed local port represents an address without a server.
      return connect({ host: "127.0.0.1", port: target ?? 1 });
    },
  };

  return {
    network,
    dialled,
    resolved,
    /** Serves HTTP at a public address. */
    async serve(address: string, handle: RequestListener): Promise<void> {
      await listen(address, createServer(handle));
    },
    /** Serves raw bytes at a public address. */
    async serveRaw(address: string, handle: (socket: Socket) => void): Promise<void> {
      const sockets = new Set<Socket>();
      const server = createTcpServer((socket) => {
        sockets.add(socket);
        socket.on("error", () => {});
        handle(socket);
      });
      servers.push({
        close: () => {
          for (const socket of sockets) socket.destroy();
        },
      });
      await listen(address, server);
    },
    close(): void {
      for (const server of servers) server.close();
    },
  };

  async function listen(address: string, server: Server | ReturnType<typeof createTcpServer>): Promise<void> {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    portOf.set(address, (server.address() as AddressInfo).port);
    servers.push({
      close: () => {
        server.close();
        if ("closeAllConnections" in server) server.closeAllConnections();
      },
    });
  }
}
