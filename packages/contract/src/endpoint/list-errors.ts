import type { Endpoint, Security } from "./endpoint.ts";
import type { ErrorCode } from "./problem.ts";

/**
 * All errors of an operation: its own, and those that follow from its input and its security. A request without
 * input can be invalid too, for example by two `Host` headers.
 */
export function listErrors(endpoint: Endpoint): ErrorCode[] {
  const { form, json } = endpoint;
  return [
    ...new Set<ErrorCode>([
      "invalid_request",
      ...listSecurityErrors(endpoint),
      ...(form || json ? (["unsupported_media_type"] as const) : []),
      ...(endpoint.errors ?? []),
      ...(endpoint.isWithoutDatabase ? [] : (["not_ready"] as const)),
      "too_many_requests",
      "internal_error",
    ]),
  ];
}

function listSecurityErrors({ security, method }: Endpoint): ErrorCode[] {
  if (security.length === 0) return [];
  const may = (caller: Security) => security.includes(caller);
  return [
    "unauthenticated",
    "invalid_api_key",
    ...((may("session") || may("admin")) && method !== "GET" ? (["untrusted_origin"] as const) : []),
    ...(may("admin") ? (["two_factor_required"] as const) : []),
    // A valid key where a session, another scope or a bot's key is required, or a chat user without a bot's key.
    "forbidden",
  ];
}
