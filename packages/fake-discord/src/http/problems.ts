const known: Readonly<Record<number, readonly [status: number, message: string]>> = {
  0: [401, "401: Unauthorized"],
  10003: [404, "Unknown Channel"],
  10008: [404, "Unknown Message"],
  10013: [404, "Unknown User"],
  10015: [404, "Unknown Webhook"],
  10062: [404, "Unknown interaction"],
  20012: [403, "You are not authorized to perform this action on this application"],
  40005: [413, "Request entity too large"],
  40060: [400, "Interaction has already been acknowledged."],
  40094: [400, "This interaction has reached the maximum number of follow-up messages."],
  50001: [403, "Missing Access"],
  50003: [403, "Cannot execute action on a DM channel"],
  50005: [403, "Cannot edit a message authored by another user"],
  50006: [400, "Cannot send an empty message"],
  50007: [403, "Cannot send messages to this user"],
  50013: [403, "Missing Permissions"],
  50027: [401, "Invalid Webhook Token"],
  50035: [400, "Invalid Form Body"],
  160002: [400, "Cannot reply without permission to read message history"],
};

/** An error as Discord answers it. */
export class DiscordProblem extends Error {
  readonly status: number;
  readonly code: number;
  readonly details: unknown;

  constructor(code: number, options: { status?: number; message?: string; details?: unknown } = {}) {
    super(options.message ?? known[code]?.[1] ?? "Something went wrong.");
    this.status = options.status ?? known[code]?.[0] ?? 400;
    this.code = code;
    this.details = options.details;
  }
}

/** An error answer's body. */
export function describeProblem(problem: DiscordProblem): object {
  return {
    message: problem.message,
    code: problem.code,
    ...(problem.details !== undefined && { errors: problem.details }),
  };
}

/** Error 50035 with these problems. */
export function invalidForm(problems: readonly string[]): DiscordProblem {
  const _errors = problems.map((message) => ({ code: "BASE_TYPE_BAD", message }));
  return new DiscordProblem(50035, { details: { _errors } });
}
