import type { Socket } from "node:net";
import type { buildConnector, Client } from "undici";
import type { CheckedUrl } from "./check-image-url.ts";
import type { ImageNetwork } from "./network.ts";

const connectSeconds = 3;

/** Opens a client for one host, with a limit of the time without a part of the response; the caller destroys it. */
export async function openClient(
  hop: CheckedUrl,
  { network, idleMs }: { network: ImageNetwork; idleMs: number },
  signal: AbortSignal,
): Promise<Client> {
  // A hundred modules that most processes never use.
  const undici = await import("undici");
  // Servers get HTTP/1.1 only: without HTTP/2 there is one parser of untrusted responses.
  const upgrade = undici.buildConnector({ timeout: connectSeconds * 1000, allowH2: false });
  const connect = connectTo(hop, network, upgrade, signal);
  return new undici.Client(hop.url.origin, { connect, headersTimeout: idleMs, bodyTimeout: idleMs });
}

/** A connector that tries the checked addresses in order and uses TLS with the host name of the address. */
function connectTo(
  hop: CheckedUrl,
  network: ImageNetwork,
  upgrade: buildConnector.connector,
  signal: AbortSignal,
): buildConnector.connector {
  const port = Number(hop.url.port) || (hop.url.protocol === "https:" ? 443 : 80);
  return (target, done) => {
    dialFirst(hop.addresses, port, network, signal).then(
      (socket) => {
        if (target.protocol === "https:") upgrade({ ...target, httpSocket: socket }, done);
        else done(null, socket);
      },
      (error: Error) => done(error, null),
    );
  };
}

async function dialFirst(
  addresses: string[],
  port: number,
  network: ImageNetwork,
  signal: AbortSignal,
): Promise<Socket> {
  for (const address of addresses) {
    signal.throwIfAborted();
    const socket = await dial(address, port, network);
    if (socket !== undefined) return socket;
  }
  throw new Error("no address of the host responds");
}

function dial(address: string, port: number, network: ImageNetwork): Promise<Socket | undefined> {
  const socket = network.dial(address, port);
  return new Promise((resolve) => {
    const settle = (isConnected: boolean) => {
      clearTimeout(timer);
      if (!isConnected) socket.destroy();
      resolve(isConnected ? socket : undefined);
    };
    const timer = setTimeout(settle, connectSeconds * 1000, false);
    socket.once("connect", () => settle(true));
    // The listener stays, because a late error of an abandoned socket would end the process.
    socket.on("error", () => settle(false));
  });
}
