import { type ErrorCode, type Problem, problems } from "@koma/contract";

/** The fields of an error response beside `code` and `detail`. */
export type ApiErrorExtras = Pick<Problem, "errors" | "quota"> & {
  /** The seconds until a retry can succeed; sent as `Retry-After`. */
  retryAfterSeconds?: number;
};

/** An error with a row in the contract's table. The caller sees `detail`. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: ErrorCode;
  /** The HTTP status of the code. */
  readonly statusCode: number;
  readonly extras: ApiErrorExtras;

  constructor(code: ErrorCode, detail: string, extras: ApiErrorExtras = {}) {
    super(detail);
    this.code = code;
    this.statusCode = problems[code].status;
    this.extras = extras;
  }
}

/** One invalid field or parameter. */
export function invalidRequest(path: string, message: string): ApiError {
  return new ApiError("invalid_request", `${path} ${message}.`, {
    errors: [{ path, message }],
  });
}
