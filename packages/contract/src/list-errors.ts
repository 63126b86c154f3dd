import type { Endpoint, Security } from "./endpoint.ts";
import type { ErrorCode } from "./problem.ts";

/** Every error that an operation can answer with: its own, and those that follow from what it reads and who may call it. */
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
    // A key that is good, where only a session will do or only a bot's key; a chat user of whom no bot speaks.
    "forbidden",
  ];
}
