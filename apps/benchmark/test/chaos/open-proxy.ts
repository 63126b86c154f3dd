import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A network between the processes and PostgreSQL that can be cut or stalled. */
export type Proxy = Awaited<ReturnType<typeof openProxy>>;

/** Forwards connections to a free port of this machine to a Unix socket. */
export async function openProxy(socketFile: string) {
  const sockets = new Set<Socket>();
  let isCut = false;
  let isStalled = false;
  const server = createServer((near) => {
    if (isCut) {
      near.resetAndDestroy();
      return;
    }
    const far = connect(socketFile);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      if (isStalled) from.pause();
      from.on("data", (bytes) => {
        if (!to.write(bytes)) from.pause();
      });
      to.on("drain", () => isStalled || from.resume());
      from.on("error", () => to.destroy());
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The proxy has no port.");
  return {
    port: address.port,
    /** Ends all connections and refuses new ones until `restore`. */
    cut(): void {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    /** Delivers nothing, in both directions, until `restore`. */
    stall(): void {
      isStalled = true;
      for (const socket of sockets) socket.pause();
    },
    restore(): void {
      isCut = false;
      isStalled = false;
      for (const socket of sockets) socket.resume();
    },
    async close(): Promise<void> {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}
