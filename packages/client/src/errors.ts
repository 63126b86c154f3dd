import type { ErrorCode, Problem, Quota } from "@koma/contract";

/** The API rejected a request. `message` is the problem's `detail`. */
export class ApiProblem extends Error {
  override readonly name = "ApiProblem";
  /** The code of the error, for programs. */
  readonly code: ErrorCode;
  /** The HTTP status. */
  readonly status: number;
  /** One sentence about this request. */
  readonly detail: string;
  /** The request's id in the API's log; empty if the request was not sent. */
  readonly requestId: string;
  /** The seconds until a retry, as the API states them. */
  readonly retryAfterSeconds: number | undefined;
  /** For a reached limit: the remaining quota, and the time of its renewal. */
  readonly quota: Quota | undefined;
  /** `invalid_request`: each invalid field or parameter. */
  readonly errors: readonly { path: string; message: string }[];

  constructor(problem: Omit<Problem, "type" | "title">, retryAfterSeconds?: number) {
    super(problem.detail);
    this.code = problem.code;
    this.status = problem.status;
    this.detail = problem.detail;
    this.requestId = problem.requestId;
    this.retryAfterSeconds = retryAfterSeconds;
    this.quota = problem.quota;
    this.errors = problem.errors ?? [];
  }
}

/**
 * The API did not respond: it is unreachable, the connection broke, a proxy reported so (502, 503, 504), or
 * the deadline passed. `cause` has the details.
 */
export class NetworkFailure extends Error {
  override readonly name = "NetworkFailure";
  readonly reason: "unreachable" | "deadline";

  constructor(reason: "unreachable" | "deadline", options: { cause: unknown }) {
    super(reason === "deadline" ? "The API did not respond in time." : "The API cannot be reached.", options);
    this.reason = reason;
  }
}

/** A response outside of the contract: of a proxy, or of another version of the API. */
export class UnexpectedResponse extends Error {
  override readonly name = "UnexpectedResponse";
  /** The HTTP status. */
  readonly status: number;
  /** The seconds until a retry, as the sender states them. */
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, response: { status: number; retryAfterSeconds: number | undefined }) {
    super(message);
    this.status = response.status;
    this.retryAfterSeconds = response.retryAfterSeconds;
  }
}
