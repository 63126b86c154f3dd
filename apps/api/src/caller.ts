import { type Accounts, type CallerHashes, hasSessionCookie } from "@koma/accounts";
import { ChatUser, type Endpoint } from "@koma/contract";
import type { Database } from "@koma/database";
import type { FastifyRequest } from "fastify";
import { ApiError, invalidRequest } from "./api-error.ts";
import { toClientNetwork } from "./client-network.ts";

/** Who asks. `hash` stands for them in the database: a keyed HMAC, never a bare hash. */
export type Caller =
  | { kind: "guest"; hash: string }
  /** Someone on a chat platform, for whom a bot asks. */
  | { kind: "chat"; hash: string; botUserId: string }
  | { kind: "user"; hash: string; userId: string; by: "session" | "key"; keyId?: string; isBot: boolean };

type UserCaller = Extract<Caller, { kind: "user" }>;

/** Tells who sends a request: a key before a session before nobody; what is bad is refused, never taken for a guest. */
export function createCallerIdentification(options: {
  accounts: Pick<Accounts, "authenticate">;
  database: Pick<Database, "chatBlocks">;
  hashes: CallerHashes;
  isTrustedOrigin: (origin: string) => boolean;
}) {
  const { accounts, database, hashes } = options;

  /** The caller, where the endpoint lets such a one in; undefined where it looks at none. Throws ApiError. */
  return async function identifyCaller(
    request: FastifyRequest,
    endpoint: Pick<Endpoint, "security" | "headers">,
  ): Promise<Caller | undefined> {
    const { security } = endpoint;
    if (security.length === 0) return undefined;
    const user = await identifyUser(request, security);
    const chatUser = endpoint.headers?.shape["x-koma-chat-user"] && request.headers["x-koma-chat-user"];
    if (chatUser !== undefined) return await identifyChatUser(user, chatUser);
    if (user !== undefined) return user;
    if (security.includes("guest")) return { kind: "guest", hash: hashes.guest(toClientNetwork(request.ip)) };
    throw new ApiError("unauthenticated", describeNeeds(security));
  };

  async function identifyUser(
    request: FastifyRequest,
    security: Endpoint["security"],
  ): Promise<UserCaller | undefined> {
    const { authorization, cookie, origin } = request.headers;
    if (authorization !== undefined) {
      const user = await authenticate({ authorization });
      const isAdmitted = security.includes("apiKey") || (security.includes("bot") && user.isBot);
      if (!isAdmitted) throw new ApiError("forbidden", describeNeeds(security));
      return user;
    }
    if (cookie === undefined || !hasSessionCookie(cookie) || !security.includes("session")) return undefined;
    const changes = request.method !== "GET" && request.method !== "HEAD";
    if (changes && (origin === undefined || !options.isTrustedOrigin(origin))) {
      throw new ApiError(
        "untrusted_origin",
        "With a session cookie, an Origin header of a trusted site is needed.",
      );
    }
    return await authenticate({ cookie });
  }

  async function authenticate(sent: { authorization?: string; cookie?: string }): Promise<UserCaller> {
    const found = await accounts.authenticate(sent);
    if (found === undefined || "problem" in found) {
      const isKey = sent.authorization !== undefined;
      if (isKey) throw new ApiError("invalid_api_key", "This API key is unknown, revoked or expired.");
      throw new ApiError("unauthenticated", "The session is unknown or has ended. Sign in again.");
    }
    return { kind: "user", hash: hashes.user(found.userId), ...found };
  }

  async function identifyChatUser(bot: UserCaller | undefined, sent: string | string[]): Promise<Caller> {
    if (bot?.isBot !== true) {
      throw new ApiError("forbidden", "Only a bot's API key may send X-Koma-Chat-User.");
    }
    const checked = ChatUser.safeParse(sent);
    if (!checked.success)
      throw invalidRequest("x-koma-chat-user", "must look like discord:123 or telegram:123");
    const hash = hashes.chat(checked.data);
    if ((await database.chatBlocks.find([hash])) !== undefined) {
      throw new ApiError("forbidden", "This chat user is blocked.");
    }
    return { kind: "chat", hash, botUserId: bot.userId };
  }
}

function describeNeeds(security: Endpoint["security"]): string {
  if (security.includes("bot"))
    return "Only a bot's API key may do this: send it as Authorization: Bearer <key>.";
  if (!security.includes("session")) return "An API key is needed: send it as Authorization: Bearer <key>.";
  if (!security.includes("apiKey"))
    return "Only a signed-in user may do this: sign in, and send the session cookie.";
  return "Sign in and send the session cookie, or send an API key as Authorization: Bearer <key>.";
}
