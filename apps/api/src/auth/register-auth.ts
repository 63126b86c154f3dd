import type { Readable } from "node:stream";
import type { Accounts } from "@koma/accounts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { readClientAddress } from "../client-network.ts";
import { readBody } from "../request-body.ts";

/**
 * `GET` and `POST /api/auth/*`: sign-up, sign-in and the other operations of better-auth, in its own format.
 */
export function registerAuth(app: FastifyInstance, options: { accounts: Pick<Accounts, "handler"> }): void {
  app.register(async (scope) => {
    // better-auth parses and validates the body, so it receives the unchanged bytes.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (request: FastifyRequest, body: Readable) =>
      readBody(request, body, bodyLimitBytes),
    );
    scope.route({
      method: ["GET", "POST"],
      url: "/api/auth/*",
      handler: async (request, reply) => {
        const response = await options.accounts.handler(toWebRequest(request), readClientAddress(request));
        return await send(response, reply);
      },
    });
  });
}

const bodyLimitBytes = 64 * 1024;

function toWebRequest(request: FastifyRequest): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined || skipped.has(name)) continue;
    for (const one of [value].flat()) headers.append(name, one);
  }
  const body = Buffer.isBuffer(request.body) ? new Uint8Array(request.body) : new Uint8Array();
  // Some clients send a JSON content type without a body, for example to sign out.
  if (body.length === 0) headers.delete("content-type");
  return new Request(new URL(request.url, "http://localhost"), {
    method: request.method,
    headers,
    ...(body.length > 0 && { body }),
  });
}

/**
 * These headers belong to one connection or can be forged. The base address is configured, and the client
 * address is passed separately.
 */
const skipped = new Set([
  ...["connection", "content-length", "expect", "host", "keep-alive", "te", "transfer-encoding", "upgrade"],
  ...["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"],
]);

async function send(response: Response, reply: FastifyReply): Promise<FastifyReply> {
  for (const [name, value] of response.headers) {
    if (name !== "set-cookie") reply.header(name, value);
  }
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) reply.header("set-cookie", cookies);
  const wait = response.headers.get("x-retry-after");
  if (wait !== null) reply.header("retry-after", wait);
  if (!response.headers.has("cache-control")) reply.header("cache-control", "no-store");
  return reply.code(response.status).send(Buffer.from(await response.arrayBuffer()));
}
