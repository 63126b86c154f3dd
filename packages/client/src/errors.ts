import type { ErrorCode, Problem, Quota } from "@koma/contract";

/** The API refused a request, and says why. `message` is the problem's `detail`. */
export class ApiProblem extends Error {
  override readonly name = "ApiProblem";
  /** The name of the error, for programs. */
  readonly code: ErrorCode;
  /** The HTTP status. */
  readonly status: number;
  /** One sentence for this very case. */
  readonly detail: string;
  /** The request's number in the API's log; empty where the request was not even sent. */
  readonly requestId: string;
  /** Seconds after which the API wants to be asked again. */
  readonly retryAfterSeconds: number | undefined;
  /** Where a limit was reached: what is left, and when it starts again. */
  readonly quota: Quota | undefined;
  /** `invalid_request`: each bad field or parameter. */
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
 * No answer of the API came: it cannot be reached, the connection broke, a proxy in front of it said so (502, 503, 504), or
 * the deadline passed. `cause` has the details.
 */
export class NetworkFailure extends Error {
  override readonly name = "NetworkFailure";
  readonly reason: "unreachable" | "deadline";

  constructor(reason: "unreachable" | "deadline", options: { cause: unknown }) {
    super(reason === "deadline" ? "The API did not answer in time." : "The API cannot be reached.", options);
    this.reason = reason;
  }
}

/** An answer came that the contract does not know: of a proxy in between, or of an API of another version. */
export class UnexpectedResponse extends Error {
  override readonly name = "UnexpectedResponse";
  /** The HTTP status. */
  readonly status: number;
  /** Seconds after which whoever answered wants to be asked again. */
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, response: { status: number; retryAfterSeconds: number | undefined }) {
    super(message);
    this.status = response.status;
    this.retryAfterSeconds = response.retryAfterSeconds;
  }
}
