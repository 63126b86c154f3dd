import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/** Browsers and HTTP libraries do not pipeline; programs for load tests rarely send more than ten at once. */
const waitingPerConnection = 16;

/**
 * Handles the requests of a connection one after the other, and closes a connection on which too many wait.
 * Node parses every request that has arrived and passes them on at once: 300 requests of one packet would
 * create 300 responses, which stay in memory while the client reads none of them.
 */
export function registerRequestOrder(app: FastifyInstance): void {
  const { server } = app;
  const handlers = server.listeners("request") as Handler[];
  const waitingOn = new WeakMap<Socket, (() => void)[]>();
  server.removeAllListeners("request");

  server.on("request", (request, response) => {
    const { socket } = request;
    const handle = () => {
      response.once("close", () => startNext(socket));
      for (const handler of handlers) handler.call(server, request, response);
    };
    const waiting = waitingOn.get(socket);
    if (waiting === undefined) {
      waitingOn.set(socket, []);
      handle();
    } else if (waiting.length < waitingPerConnection) {
      waiting.push(handle);
    } else {
      socket.destroy();
    }
  });

  function startNext(socket: Socket): void {
    // The responses of a closed connection would have no reader.
    const next = socket.destroyed ? undefined : waitingOn.get(socket)?.shift();
    if (next === undefined) waitingOn.delete(socket);
    else next();
  }
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;
