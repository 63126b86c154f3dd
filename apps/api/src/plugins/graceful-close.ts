import type { FastifyInstance } from "fastify";

/**
 * When the app closes, requests under way are answered, and then every connection is closed: one on which nothing was
 * ever asked, or which a client keeps for later, would hold up the end for a minute.
 */
export function registerGracefulClose(app: FastifyInstance): void {
  // Fastify closes idle connections once; it does not close those that become idle, or had no request, afterwards.
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
