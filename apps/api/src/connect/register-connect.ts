import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "../api-error.ts";
import { readBody } from "../request-body.ts";
import { type ClientFile, clientFiles } from "./clients.ts";
import { style, writeConnectPage } from "./connect-page.ts";

/**
 * `/connect`: small clients with the address and the key filled in. The key is sent by POST, so no log
 * contains it.
 */
export function registerConnect(app: FastifyInstance, { getBaseUrl }: { getBaseUrl: () => string }): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      "application/x-www-form-urlencoded",
      async (request: FastifyRequest, body: Readable) =>
        new URLSearchParams((await readBody(request, body, bodyLimitBytes)).toString()),
    );

    const sendPage = (reply: FastifyReply, key: string | undefined, error?: string) =>
      secure(reply)
        .code(error === undefined ? 200 : 400)
        .type("text/html; charset=utf-8")
        .send(writeConnectPage({ baseUrl: getBaseUrl(), key }, error));

    scope.get("/connect", async (_request, reply) => sendPage(reply, undefined));
    scope.post("/connect", async (request, reply) => {
      const key = readKey(request);
      return key.isValid ? sendPage(reply, key.value) : sendPage(reply, undefined, keyError);
    });
    for (const file of Object.values<ClientFile>(clientFiles)) {
      scope.route({
        method: ["GET", "POST"],
        url: `/connect/${file.name}`,
        handler: async (request, reply) => {
          const key = readKey(request);
          if (!key.isValid) throw new ApiError("invalid_request", keyError);
          return secure(reply)
            .type(file.contentType)
            .header("content-disposition", `attachment; filename="${file.name}"`)
            .send(file.write({ baseUrl: getBaseUrl(), key: key.value }));
        },
      });
    }
  });
}

const bodyLimitBytes = 4096;
const keyError = "The API key must look like koma_… with 52 letters and digits.";

/** The API key in the form. An empty field counts as no key. */
function readKey({ body }: FastifyRequest): { isValid: boolean; value: string | undefined } {
  const value = body instanceof URLSearchParams ? body.get("key")?.trim() || undefined : undefined;
  return { isValid: value === undefined || /^koma_[A-Za-z0-9]{52}$/.test(value), value };
}

const styleHash = createHash("sha256").update(style).digest("base64");

function secure(reply: FastifyReply): FastifyReply {
  return reply.headers({
    "cache-control": "no-store",
    "content-security-policy": `default-src 'none';style-src 'sha256-${styleHash}';form-action 'self';base-uri 'none';frame-ancestors 'none'`,
    "cross-origin-resource-policy": "same-origin",
  });
}
