import type { Auth, AuthParts } from "./auth.ts";
import { hasSessionCookie } from "./session-cookie.ts";

/**
 * better-auth, imported and created when it is first needed: with port 0 its address is known after the API listens,
 * and most commands about accounts work without its 300 modules.
 */
export type AuthSource = ReturnType<typeof createAuthSource>;

type Parts = Omit<AuthParts, "authAdapter" | "baseUrl" | "basePath" | "ipHeader" | "trustedOrigins"> & {
  baseUrl: () => string;
  trustedOrigins: readonly string[];
};

export function createAuthSource(parts: Parts) {
  let created: { baseUrl: string; auth: Promise<Auth> } | undefined;

  function get(): Promise<Auth> {
    const baseUrl = parts.baseUrl();
    if (created?.baseUrl !== baseUrl) created = { baseUrl, auth: create(baseUrl) };
    return created.auth;
  }

  async function create(baseUrl: string): Promise<Auth> {
    const [{ createAuth }, authAdapter] = await Promise.all([
      import("./auth.ts"),
      parts.database.loadAuthAdapter(),
    ]);
    const trustedOrigins = listTrustedOrigins(parts, baseUrl);
    return createAuth({ ...parts, authAdapter, baseUrl, basePath, ipHeader, trustedOrigins });
  }

  return {
    get,

    /** Imports better-auth, for which the first request that needs it would wait. */
    async load(): Promise<void> {
      await import("./auth.ts");
    },

    /** The token in a session cookie that better-auth has signed; undefined without a valid one. */
    async readSessionToken(cookie: string): Promise<string | undefined> {
      const { readSessionToken } = await import("./auth.ts");
      return await readSessionToken(await get(), cookie);
    },

    /**
     * Handles a request below `/api/auth/`; only its path and query are used, the rest is the base address.
     */
    async handle(request: Request, clientIp: string): Promise<Response> {
      const { pathname, search } = new URL(request.url);
      if (!pathname.startsWith(`${basePath}/`)) return new Response(null, { status: 404 });
      const baseUrl = parts.baseUrl();
      const refusal = checkOrigin(request, listTrustedOrigins(parts, baseUrl));
      if (refusal !== undefined) return Response.json(refusal, { status: 403 });
      const headers = new Headers(request.headers);
      headers.set(ipHeader, clientIp);
      // Node's fetch sends the mode alone, which better-auth treats as a browser that hides its origin.
      if (!headers.has("sec-fetch-site")) headers.delete("sec-fetch-mode");
      // `checkOrigin` has accepted a request without origin and session; better-auth rejects one with any other cookie.
      if (!headers.has("origin") && headers.has("cookie") && isChange(request)) {
        headers.set("origin", new URL(baseUrl).origin);
      }
      const body = request.body === null ? undefined : await request.arrayBuffer();
      const send = async () =>
        (await get()).handler(
          new Request(`${baseUrl}${pathname}${search}`, {
            method: request.method,
            headers,
            ...(body !== undefined && { body }),
          }),
        );
      const response = await send();
      return pathname === `${basePath}/sign-up/email` && (await hasLostRace(response)) ? send() : response;
    },
  };
}

/**
 * Whether a simultaneous sign-up has created the user. The repeated request gets the response for a known
 * address; this one would tell that the address was unknown.
 */
async function hasLostRace(response: Response): Promise<boolean> {
  if (response.status !== 422) return false;
  const problem = (await response.clone().json()) as { code?: string };
  return problem.code === "FAILED_TO_CREATE_USER";
}

const basePath = "/api/auth";
const ipHeader = "x-koma-client-ip";

function listTrustedOrigins(parts: Pick<Parts, "trustedOrigins">, baseUrl: string): string[] {
  return [new URL(baseUrl).origin, ...parts.trustedOrigins];
}

/**
 * Checks the origin of a request before better-auth, whose own check is less strict (other spellings of an
 * origin, `Referer` as a substitute). A request that changes something needs a trusted origin, or neither an
 * origin nor a session. Returns better-auth's error. A rejected request does not count against the limits of
 * its network.
 */
function checkOrigin(
  request: Request,
  trusted: readonly string[],
): { code: string; message: string } | undefined {
  if (!isChange(request)) return undefined;
  const origin = request.headers.get("origin");
  const hasSession = hasSessionCookie(request.headers.get("cookie") ?? "");
  if (origin === null && !hasSession) return undefined;
  if (origin === null || origin === "null") {
    return { code: "MISSING_OR_NULL_ORIGIN", message: "Missing or null Origin" };
  }
  return trusted.includes(origin) ? undefined : { code: "INVALID_ORIGIN", message: "Invalid origin" };
}

/** Whether a request can change something. */
function isChange({ method }: Pick<Request, "method">): boolean {
  return method !== "GET" && method !== "HEAD";
}
