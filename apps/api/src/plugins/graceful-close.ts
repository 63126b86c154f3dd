import type { FastifyInstance } from "fastify";

/**
 * On close, open requests are completed and then every connection is closed. Idle connections would otherwise
 * delay the end by a minute.
 */
export function registerGracefulClose(app: FastifyInstance): void {
  // Fastify closes idle connections once; it does not close those that become idle, or had no request,
  // afterwards.
  let isClosing = false;
  let underWay = 0;

  app.addHook("onRequest", async (_request, reply) => {
    underWay += 1;
    reply.raw.once("close", () => {
      underWay -= 1;
    });
  });
  app.addHook("onSend", async (_request, reply) => {
    if (isClosing) reply.header("connection", "close");
  });
  app.addHook("preClose", async () => {
    isClosing = true;
    const timer = setInterval(() => {
      if (underWay === 0) app.server.closeAllConnections();
    }, 50);
    app.server.once("close", () => clearInterval(timer));
  });
}
