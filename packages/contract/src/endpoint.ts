import type { z } from "zod";
import type { ErrorCode } from "./problem.ts";

/** A successful answer: JSON that fits `body`, or something else of the named content type. */
export type Reply = { description: string; body: z.ZodType } | { description: string; contentType: string };

/** One operation of the API, from which validation, types and OpenAPI derive. */
export type Endpoint = {
  /** Its name in programs, unique. */
  id: string;
  method: "GET" | "POST" | "DELETE";
  /** Relative to the base address; parameters in braces. */
  path: string;
  tag: string;
  summary: string;
  description?: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  headers?: z.ZodObject;
  /** Fields of a `multipart/form-data` body; `files` names those that are files, with what is said about them. */
  form?: { fields: z.ZodObject; files: Record<string, string> };
  replies: Record<number, Reply>;
  /** Counts against the caller's quota; its answers say so in `RateLimit` and `RateLimit-Policy`. */
  isMetered?: boolean;
  /** Errors of its own, beside those that every operation can have. */
  errors: readonly ErrorCode[];
};

/** Keeps an endpoint's exact types. */
export function defineEndpoint<const E extends Endpoint>(endpoint: E): E {
  return endpoint;
}
