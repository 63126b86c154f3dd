import { ApiProblem, NetworkFailure, UnexpectedResponse } from "@koma/client";
import type { ErrorCode } from "@koma/contract";

/** The reason why the extension has no image or no server, before a request is sent. */
export type LocalReason =
  | "noServer"
  | "noPermission"
  | "pageClosedToExtensions"
  | "protectedVideo"
  | "noImage"
  | "jobGone";

/** An error in a form that passes between the parts of the extension. */
export type Failure =
  | { kind: "local"; reason: LocalReason }
  | {
      kind: "api";
      code: ErrorCode;
      detail: string;
      requestId: string;
      /** The time of the server's next permitted request in milliseconds since 1970. */
      retryAtMs: number | undefined;
    }
  | { kind: "unreachable" }
  | { kind: "unexpected"; status: number };

/** An error of the extension itself. */
export class LocalError extends Error {
  override readonly name = "LocalError";
  readonly reason: LocalReason;

  constructor(reason: LocalReason) {
    super(reason);
    this.reason = reason;
  }
}

/** Describes an error for another part of the extension; errors that are defects are thrown again. */
export function toFailure(error: unknown): Failure {
  if (error instanceof LocalError) return { kind: "local", reason: error.reason };
  if (error instanceof NetworkFailure) return { kind: "unreachable" };
  if (error instanceof UnexpectedResponse) return { kind: "unexpected", status: error.status };
  if (!(error instanceof ApiProblem)) throw error;
  return {
    kind: "api",
    code: error.code,
    detail: error.detail,
    requestId: error.requestId,
    retryAtMs: findRetryTime(error),
  };
}

function findRetryTime(error: ApiProblem): number | undefined {
  if (error.retryAfterSeconds !== undefined) return Date.now() + error.retryAfterSeconds * 1000;
  return error.quota === undefined ? undefined : Date.parse(error.quota.resetsAt);
}
