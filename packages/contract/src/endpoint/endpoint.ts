import type { z } from "zod";
import type { ApiKeyScope } from "./api-key-scope.ts";
import type { ErrorCode } from "./problem.ts";

/** A successful response: JSON that matches `body`, content of another type, or no content. */
export type Reply =
  | { description: string; body: z.ZodType }
  | { description: string; contentType: string }
  | { description: string };

/**
 * The callers that an operation accepts: a guest without credentials, a user with a session cookie, an
 * administrator with a session cookie, an API key, or an API key with the permission `bot`.
 */
export type Security = "guest" | "session" | "admin" | "apiKey" | "bot";

/** One operation of the API, from which validation, types, OpenAPI and the client derive. */
export type Endpoint = {
  /** Its unique name in programs. */
  id: string;
  method: "GET" | "POST" | "DELETE";
  /** Relative to the base address; parameters in braces. */
  path: string;
  tag: string;
  summary: string;
  description?: string;
  /** One of them is sufficient. Empty: the endpoint is public and ignores credentials. */
  security: readonly Security[];
  /** The scope that an API key needs; without it any API key is sufficient. */
  scope?: ApiKeyScope;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** Header names in lower case. */
  headers?: z.ZodObject;
  /** Fields of a `multipart/form-data` body; `files` describes the file fields. */
  form?: { fields: z.ZodObject; files: Record<string, string> };
  /** An `application/json` body. */
  json?: z.ZodObject;
  /** A body that is read byte for byte, because it is signed; only external services send it. */
  raw?: { contentType: string; description: string; limitBytes?: number };
  replies: Record<number, Reply>;
  /** The operation uses the caller's quota; its responses report it in `RateLimit` and `RateLimit-Policy`. */
  isMetered?: boolean;
  /** A POST whose repetition has no further effect; GET and DELETE always are repeatable. */
  isRepeatable?: boolean;
  /** The operation works without the database; all others can be `not_ready` without it. */
  isWithoutDatabase?: boolean;
  /** Its own errors, in addition to the derived ones (`listErrors`). */
  errors?: readonly ErrorCode[];
};

/** Preserves an endpoint's exact types. */
export function defineEndpoint<const E extends Endpoint>(endpoint: E): E {
  return endpoint;
}
