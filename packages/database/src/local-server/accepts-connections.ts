import { connect } from "node:net";

/** Returns true when a process listens on a Unix socket. */
export function acceptsConnections(socketFile: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketFile);
    const settle = (isAccepted: boolean) => {
      socket.destroy();
      resolve(isAccepted);
    };
    socket.once("connect", () => settle(true));
    socket.once("error", () => settle(false));
  });
}
