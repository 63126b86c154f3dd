import type { Endpoint, Security } from "./endpoint.ts";
import type { ErrorCode } from "./problem.ts";

/** All errors of an operation: its own, and those that follow from its input and its security. */
export function listErrors(endpoint: Endpoint): ErrorCode[] {
  const { params, query, headers, form, json, raw } = endpoint;
  const hasInput = [params, query, headers, form, json, raw].some(Boolean);
  return [
    ...new Set<ErrorCode>([
      ...(hasInput ? (["invalid_request"] as const) : []),
      ...listSecurityErrors(endpoint),
      ...(form || json ? (["unsupported_media_type"] as const) : []),
      ...endpoint.errors,
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
    // A valid key where a session or a bot's key is required, or a chat user without a bot's key.
    "forbidden",
  ];
}
