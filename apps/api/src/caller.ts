import { createHmac } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { ApiError } from "./api-error.ts";
import { toClientNetwork } from "./client-network.ts";

/** Who asks. `hash` stands for them in the database: a keyed HMAC, never a bare hash. */
export type Caller = { kind: "guest"; hash: string };

/**
 * Tells who sends a request. There are no accounts yet, so a key or a session cannot be valid: they are refused, never
 * taken for a guest.
 */
export function createCallerIdentification(options: {
  key: Buffer;
  isTrustedOrigin: (origin: string) => boolean;
}) {
  return function identifyCaller(request: FastifyRequest): Caller {
    const { authorization, cookie, origin } = request.headers;
    if (authorization !== undefined) {
      throw new ApiError("invalid_api_key", "This API key is unknown, revoked or expired.");
    }
    if (cookie !== undefined && sessionCookie.test(cookie)) {
      const changes = request.method !== "GET" && request.method !== "HEAD";
      if (changes && (origin === undefined || !options.isTrustedOrigin(origin))) {
        throw new ApiError(
          "untrusted_origin",
          "With a session cookie, an Origin header of a trusted site is needed.",
        );
      }
      throw new ApiError("unauthenticated", "The session is unknown or has ended. Sign in again.");
    }
    if (request.headers["x-koma-chat-user"] !== undefined) {
      throw new ApiError("forbidden", "Only a bot's API key may send X-Koma-Chat-User.");
    }
    const hash = createHmac("sha256", options.key).update(`guest:${toClientNetwork(request.ip)}`);
    return { kind: "guest", hash: hash.digest("base64url") };
  };
}

const sessionCookie = /(?:^|;\s*)(?:__Secure-|__Host-)?better-auth\.session_token=/;
