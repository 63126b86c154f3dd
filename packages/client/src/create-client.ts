import { type Endpoint, endpoints, getClip, getStill } from "@koma/contract";
import { buildRequest, type Values } from "./build-request.ts";
import { type Deadline, startDeadline } from "./deadline.ts";
import { NetworkFailure } from "./errors.ts";
import type { CallOptions, ClientEndpoint, Method } from "./method.ts";
import { readResponse } from "./read-response.ts";
import { repeat } from "./repeat.ts";

/** The address of the API and the credentials of the caller. */
export type ClientOptions = {
  /** The API's base address, including its path prefix; "" in a browser for the page's own site. */
  baseUrl: string;
  /** Sent as `Authorization: Bearer`; it takes precedence over a cookie. */
  apiKey?: string | undefined;
  /** For programs outside of a browser: the `Cookie` header of a session. */
  cookie?: string | undefined;
  /**
   * For programs outside of a browser: the `Origin` header; by default the API's own site if a cookie is
   * sent.
   */
  origin?: string | undefined;
  /**
   * In a browser: whether cookies are sent. `include` if the API is another site, which must trust the page's
   * origin.
   */
  credentials?: "include" | "same-origin" | "omit" | undefined;
  /** The maximum milliseconds of a call, including waits and retries. Default: 30 000. */
  deadlineMs?: number | undefined;
  /** Replaces the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
};

/** One method per endpoint, named by the endpoint's id, and one for the preview paths of matches. */
export type ClientOf<Endpoints extends ClientEndpoint> = { [E in Endpoints as E["id"]]: Method<E> } & {
  /** The still or clip at one of the `previewPaths` of a match. Throws TypeError for another path. */
  getPreview(path: string, options?: CallOptions): Promise<Blob>;
};

/** All endpoints of the API as methods. */
export type Client = ClientOf<ClientEndpoint>;

/**
 * The API as functions. They throw ApiProblem for an error of the API, NetworkFailure without a response,
 * UnexpectedResponse for a response outside of the contract, and the reason of the caller's own signal.
 *
 * Retries while the deadline allows: always after 429, because the request had no effect; after 503 and a
 * broken connection if the operation is idempotent. Searches get an Idempotency-Key for that.
 */
export function createClient(options: ClientOptions): Client {
  return createClientOf(endpoints, options);
}

/** Like `createClient`, with some of the endpoints only: a browser then loads no others. */
export function createClientOf<const E extends readonly Endpoint[]>(
  endpoints: E,
  options: ClientOptions,
): ClientOf<Extract<E[number], ClientEndpoint>> {
  const send = options.fetch ?? globalThis.fetch.bind(globalThis);
  const baseUrl = options.baseUrl.replace(/\/+$/, "");

  async function call(endpoint: Endpoint, input: Values, callOptions: CallOptions & { headers?: Values }) {
    const headers = buildHeaders(endpoint, callOptions.headers ?? {});
    const { path, init } = buildRequest(endpoint, input, headers);
    return await request(endpoint, path, init, callOptions);
  }

  async function request(endpoint: Endpoint, path: string, init: RequestInit, callOptions: CallOptions) {
    const { credentials } = options;
    const sent = { ...init, ...(credentials === undefined ? {} : { credentials }) };
    const deadlineMs = callOptions.deadlineMs ?? options.deadlineMs ?? 30_000;
    const deadline = startDeadline({ deadlineMs, signal: callOptions.signal });
    try {
      return await repeat(endpoint, { deadline, outageMs: callOptions.outageMs }, async () =>
        readResponse(endpoint, await receive(`${baseUrl}${path}`, sent, deadline)),
      );
    } finally {
      deadline.close();
    }
  }

  function buildHeaders(endpoint: Endpoint, callOptions: Values): Headers {
    const headers = new Headers();
    const { apiKey, cookie } = options;
    const origin = options.origin ?? (cookie === undefined ? undefined : new URL(baseUrl).origin);
    if (endpoint.security.length > 0) {
      if (apiKey !== undefined) headers.set("authorization", `Bearer ${apiKey}`);
      if (cookie !== undefined) headers.set("cookie", cookie);
    }
    if (origin !== undefined) headers.set("origin", origin);
    for (const name of Object.keys(endpoint.headers?.shape ?? {})) {
      const value = callOptions[name] ?? (name === "idempotency-key" ? createKey() : undefined);
      if (value !== undefined) headers.set(name, String(value));
    }
    return headers;
  }

  async function receive(url: string, init: RequestInit, deadline: Deadline) {
    deadline.throwIfStopped();
    try {
      const response = await send(url, { ...init, signal: deadline.signal });
      return { status: response.status, headers: response.headers, body: await response.blob() };
    } catch (cause) {
      deadline.throwIfStopped();
      throw new NetworkFailure(deadline.signal.aborted ? "deadline" : "unreachable", { cause });
    }
  }

  const methods = endpoints
    .filter((endpoint) => !("raw" in endpoint))
    .map((endpoint) => [
      endpoint.id,
      (input: Values = {}, callOptions: CallOptions & { headers?: Values } = {}) =>
        call(endpoint, input, callOptions),
    ]);
  return {
    ...Object.fromEntries(methods),
    async getPreview(path: string, callOptions: CallOptions = {}) {
      const endpoint = previews.find(({ prefix }) => path.startsWith(prefix))?.endpoint;
      if (endpoint === undefined) throw new TypeError(`${path} is not the path of a preview.`);
      return await request(
        endpoint,
        path,
        { method: "GET", headers: buildHeaders(endpoint, {}) },
        callOptions,
      );
    },
  } as ClientOf<Extract<E[number], ClientEndpoint>>;
}

const previews = [getStill, getClip].map((endpoint) => ({
  endpoint,
  prefix: endpoint.path.slice(0, endpoint.path.indexOf("{")),
}));

/** Not `randomUUID`, which is undefined on pages without https. */
function createKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
