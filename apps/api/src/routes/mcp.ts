import { createClient } from "@koma/client";
import { callMcp } from "@koma/contract";
import { errorCodes, type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { registerEndpoint } from "../register-endpoint.ts";

/**
 * `POST /mcp`: the tools call the other endpoints inside this process, with the key and the address of the
 * caller.
 */
export function registerMcp(app: FastifyInstance, { version }: { version: string }): void {
  app.register(async (scope) => {
    // An unreadable message gets a protocol error; every other error is a problem.
    scope.setErrorHandler((error, _request, reply) => {
      if (!(error instanceof errorCodes.FST_ERR_CTP_BODY_TOO_LARGE)) throw error;
      return sendRpcError(
        reply.code(413),
        -32_600,
        "The message is too large: an image in it can have 3 MB.",
      );
    });
    registerEndpoint(scope, callMcp, async ({ bytes, raw, reply }) => {
      const client = createClient({
        // This name is never resolved: `fetch` below stays inside this process.
        baseUrl: "http://api.invalid",
        apiKey: readKey(raw),
        fetch: createInnerFetch(app, raw),
      });
      // Loaded with the first request: the package of the protocol takes half a second of CPU and 28 MB.
      const { handleMcpRequest } = await import("@koma/mcp");
      const response = await handleMcpRequest(toWebRequest(raw, bytes), { client, version });
      reply.code(response.status).headers(Object.fromEntries(response.headers));
      await reply.send(Buffer.from(await response.arrayBuffer()));
    });
  });
  app.route({
    method: ["GET", "DELETE"],
    url: callMcp.path,
    handler: (_request, reply) =>
      sendRpcError(reply.code(405).header("allow", "POST"), -32_000, "This server has no MCP sessions."),
  });
}

function sendRpcError(reply: FastifyReply, code: number, message: string): FastifyReply {
  return reply.send({ jsonrpc: "2.0", error: { code, message }, id: null });
}

function readKey(request: FastifyRequest): string {
  return (request.headers.authorization ?? "").replace(/^Bearer +/i, "");
}

function toWebRequest(request: FastifyRequest, bytes: Buffer): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === "string") headers.set(name, value);
  }
  return new Request(new URL(callMcp.path, "http://api.invalid"), {
    method: "POST",
    headers,
    body: Uint8Array.from(bytes),
  });
}

/**
 * A `fetch` that injects requests into the routes of this process, so limits and quotas apply, without a
 * network.
 */
function createInnerFetch(app: FastifyInstance, outer: FastifyRequest): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    const response = await app.inject({
      method: request.method as "GET" | "POST",
      url: `${pathname}${search}`,
      headers: Object.fromEntries(request.headers),
      payload: Buffer.from(await request.arrayBuffer()),
      remoteAddress: outer.ip,
    });
    const headers = Object.entries(response.headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    const body = response.statusCode === 204 ? null : Uint8Array.from(response.rawPayload);
    return new Response(body, { status: response.statusCode, headers });
  };
}
