import { type Accounts, type CallerHashes, hasSessionCookie, listLimitedNetworks } from "@koma/accounts";
import type { Configuration } from "@koma/config";
import { type ApiKeyScope, ChatServer, ChatUser, type Endpoint } from "@koma/contract";
import type { CallerKind, Database } from "@koma/database";
import type { FastifyRequest } from "fastify";
import { ApiError, invalidRequest } from "./api-error.ts";
import type { BotKeys } from "./bot-keys.ts";
import { readClientNetwork } from "./client-network.ts";

/** The caller of a request. `hash` identifies it in the database: a keyed HMAC, never a plain hash. */
export type Caller =
  | { kind: "guest"; hash: string; wider?: WiderNetwork[] }
  /** A user of a chat platform, on whose behalf a bot sends the request. */
  | { kind: "chat"; hash: string; botUserId: string }
  | {
      kind: "user";
      hash: string;
      userId: string;
      by: "session" | "key";
      keyId?: string;
      isBot: boolean;
      /** Those of the key. */
      scopes?: readonly ApiKeyScope[];
    };

/** The hash of a wider network of a guest, and how many times the searches of a guest it has. */
type WiderNetwork = { hash: string; times: number };

/** The kind of a caller in metrics and totals. Chat users count as their bot. */
export function describeCaller(caller: Caller): CallerKind {
  if (caller.kind === "guest") return "guest";
  return caller.kind === "chat" || caller.isBot ? "bot" : caller.by;
}

type UserCaller = Extract<Caller, { kind: "user" }>;

/**
 * Identifies the caller of a request: by key, then by session, else as a guest. Invalid credentials are
 * rejected and never treated as a guest's.
 */
export function createCallerIdentification(options: {
  accounts: Pick<Accounts, "authenticate" | "reportSecurityEvent">;
  database: Pick<Database, "chatBlocks" | "users">;
  hashes: CallerHashes;
  botKeys: BotKeys;
  isTrustedOrigin: (origin: string) => boolean;
  requireTwoFactor: Configuration["KOMA_REQUIRE_2FA"];
}) {
  const { accounts, database, hashes } = options;

  /**
   * The caller, if the endpoint admits it; undefined if the endpoint ignores credentials. Throws ApiError.
   */
  return async function identifyCaller(
    request: FastifyRequest,
    endpoint: Pick<Endpoint, "security" | "scope" | "headers">,
  ): Promise<Caller | undefined> {
    const { security } = endpoint;
    if (security.length === 0) return undefined;
    const user = await identifyUser(request, endpoint);
    if (request.headers["x-koma-chat-user"] !== undefined && user?.isBot !== true) {
      throw new ApiError("forbidden", "Only a bot's API key may send X-Koma-Chat-User.");
    }
    const chat = readChat(request, endpoint);
    await refuseBlocked(chat);
    if (chat.user !== undefined && user !== undefined) {
      return { kind: "chat", hash: hashes.chat(chat.user), botUserId: user.userId };
    }
    if (user !== undefined) return user;
    if (security.includes("guest")) return describeGuest(readClientNetwork(request));
    throw new ApiError("unauthenticated", describeNeeds(security));
  };

  function describeGuest(network: string): Caller {
    // Mobile networks have many customers in one /48.
    const [, ...wider] = listLimitedNetworks(network, { siteTimes: 20 });
    return {
      kind: "guest",
      hash: hashes.guest(network),
      wider: wider.map(({ network: name, times }) => ({ hash: hashes.guest(name), times })),
    };
  }

  async function identifyUser(
    request: FastifyRequest,
    { security, scope }: Pick<Endpoint, "security" | "scope">,
  ): Promise<UserCaller | undefined> {
    const { authorization, cookie, origin } = request.headers;
    if (authorization !== undefined) {
      const user = await authenticate({ authorization });
      const isAllowed = security.includes("apiKey") || (security.includes("bot") && user.isBot);
      if (!isAllowed) throw new ApiError("forbidden", describeNeeds(security));
      if (scope !== undefined && user.scopes?.includes(scope) !== true) {
        throw new ApiError("forbidden", `This API key does not have the scope \`${scope}\`.`);
      }
      return user;
    }
    const acceptsSession = security.includes("session") || security.includes("admin");
    if (cookie === undefined || !hasSessionCookie(cookie) || !acceptsSession) return undefined;
    const changes = request.method !== "GET" && request.method !== "HEAD";
    if (changes && (origin === undefined || !options.isTrustedOrigin(origin))) {
      throw new ApiError(
        "untrusted_origin",
        "With a session cookie, an Origin header of a trusted site is needed.",
      );
    }
    const user = await authenticate({ cookie });
    if (!security.includes("session")) await requireAdmin(user, request);
    return user;
  }

  async function requireAdmin({ userId }: UserCaller, request: FastifyRequest): Promise<void> {
    const user = await database.users.find(userId);
    if (user?.isAdmin !== true) {
      const network = readClientNetwork(request);
      accounts.reportSecurityEvent({ event: "admin_denied", email: user?.email, network });
      throw new ApiError("forbidden", "Only an administrator may do this.");
    }
    if (options.requireTwoFactor === "off" || user.isTwoFactorEnabled) return;
    throw new ApiError(
      "two_factor_required",
      "This server requires a second factor of administrators. Activate it on the account page (`/account`).",
    );
  }

  async function authenticate(sent: { authorization?: string; cookie?: string }): Promise<UserCaller> {
    const found = await accounts.authenticate(sent);
    const isKnown = found !== undefined && !("problem" in found);
    if (sent.authorization !== undefined) options.botKeys.note(sent.authorization, isKnown && found.isBot);
    if (!isKnown) {
      const expiredAt = found !== undefined && "expiredAt" in found ? found.expiredAt : undefined;
      if (expiredAt !== undefined) {
        throw new ApiError("invalid_api_key", `This API key expired at ${expiredAt.toISOString()}.`);
      }
      const isKey = sent.authorization !== undefined;
      if (isKey) throw new ApiError("invalid_api_key", "This API key is unknown or revoked.");
      throw new ApiError("unauthenticated", "The session is unknown or has ended. Sign in again.");
    }
    return { kind: "user", hash: hashes.user(found.userId), ...found };
  }

  /** The server or group that a request names is checked too. Naming one can only restrict the caller. */
  async function refuseBlocked({ user, server }: Chat): Promise<void> {
    if (user === undefined && server === undefined) return;
    const block = await database.chatBlocks.find([
      ...(user === undefined ? [] : [hashes.chat(user)]),
      ...(server === undefined ? [] : [hashes.server(server)]),
    ]);
    if (block !== undefined) throw new ApiError("forbidden", `This chat ${block.kind} is blocked.`);
  }
}

/**
 * The network that the limits of a caller count: the client network, or the chat user where a bot sends the
 * request.
 */
export function readNetwork(caller: Caller, request: FastifyRequest): string {
  const isBot = caller.kind === "chat" || (caller.kind === "user" && caller.isBot);
  return isBot ? caller.hash : readClientNetwork(request);
}

type Chat = { user: ChatUser | undefined; server: ChatServer | undefined };

/**
 * The chat user and server that a bot's request names, if the endpoint uses them. Throws ApiError
 * `invalid_request`.
 */
function readChat({ headers }: FastifyRequest, endpoint: Pick<Endpoint, "headers">): Chat {
  const read = <S extends typeof ChatUser | typeof ChatServer>(name: string, schema: S) => {
    const sent = endpoint.headers?.shape[name] && headers[name];
    if (sent === undefined) return undefined;
    const checked = schema.safeParse(sent);
    if (checked.success) return checked.data;
    throw invalidRequest(name, checked.error.issues[0]?.message ?? "is not valid");
  };
  return { user: read("x-koma-chat-user", ChatUser), server: read("x-koma-chat-server", ChatServer) };
}

function describeNeeds(security: Endpoint["security"]): string {
  if (security.includes("admin"))
    return "Only an administrator may do this: sign in, and send the session cookie.";
  if (security.includes("bot"))
    return "Only a bot's API key may do this: send it as Authorization: Bearer <key>.";
  if (!security.includes("session")) return "An API key is needed: send it as Authorization: Bearer <key>.";
  if (!security.includes("apiKey"))
    return "Only a signed-in user may do this: sign in, and send the session cookie.";
  return "Sign in and send the session cookie, or send an API key as Authorization: Bearer <key>.";
}
