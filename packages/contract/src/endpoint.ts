import type { z } from "zod";
import type { ErrorCode } from "./problem.ts";

/** A successful answer: JSON that fits `body`, something else of the named content type, or nothing at all. */
export type Reply =
  | { description: string; body: z.ZodType }
  | { description: string; contentType: string }
  | { description: string };

/**
 * The callers that an operation accepts: a guest without credentials, a user with a session cookie, an administrator with a
 * session cookie, an API key, or an API key with the permission `bot`.
 */
export type Security = "guest" | "session" | "admin" | "apiKey" | "bot";

/** One operation of the API, from which validation, types, OpenAPI and the client derive. */
export type Endpoint = {
  /** Its name in programs, unique. */
  id: string;
  method: "GET" | "POST" | "DELETE";
  /** Relative to the base address; parameters in braces. */
  path: string;
  tag: string;
  summary: string;
  description?: string;
  /** One of them is enough. Empty: everyone; credentials are ignored. */
  security: readonly Security[];
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** Names in lower case. */
  headers?: z.ZodObject;
  /** Fields of a `multipart/form-data` body; `files` names those that are files, with what is said about them. */
  form?: { fields: z.ZodObject; files: Record<string, string> };
  /** An `application/json` body. */
  json?: z.ZodObject;
  /** A body that is taken byte for byte, because it is signed; only machines of others send it. */
  raw?: { contentType: string; description: string; limitBytes?: number };
  replies: Record<number, Reply>;
  /** Counts against the caller's quota; its answers say so in `RateLimit` and `RateLimit-Policy`. */
  isMetered?: boolean;
  /** A POST that does what it does once when it comes twice; GET and DELETE always are so. */
  isRepeatable?: boolean;
  /** Answers without the database; all others can be `not_ready`, because it does not answer. */
  isWithoutDatabase?: boolean;
  /** Errors of its own, beside those that follow from the rest (`listErrors`). */
  errors: readonly ErrorCode[];
};

/** Keeps an endpoint's exact types. */
export function defineEndpoint<const E extends Endpoint>(endpoint: E): E {
  return endpoint;
}
