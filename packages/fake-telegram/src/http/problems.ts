import type { Json } from "@koma/fake-chat";
import type { FakeState } from "../state/fake-state.ts";

/** The `parameters` of an error response. */
export type ProblemParameters = { retry_after?: number; migrate_to_chat_id?: number };

/** An error of the Bot API. */
export class ApiProblem extends Error {
  readonly status: number;
  readonly parameters: ProblemParameters | undefined;

  constructor(status: number, description: string, parameters?: ProblemParameters) {
    super(description);
    this.status = status;
    this.parameters = parameters;
  }
}

/** The response to a call; without a body, the page of a proxy. */
export type Response = { status: number; body: Json | undefined };

/** The response with this error. */
export function describeProblem({ status, message, parameters }: ApiProblem): Response {
  const body = { ok: false, error_code: status, description: message, ...(parameters ? { parameters } : {}) };
  return { status, body };
}

/** An error that the bot could not avoid, because of the state of the chat. */
export function deny(description: string, status = 400, parameters?: ProblemParameters): never {
  throw new ApiProblem(status, description, parameters);
}

/** Reports the violations of one call. */
export function createRejecter(state: FakeState, method: string) {
  return {
    /** Records a violation that Telegram itself accepts. */
    blame(rule: string, problem: string) {
      state.violations.push({ rule, where: method, problem });
    },

    /** Records a violation and throws an error. */
    refuse(rule: string, problem: string): never {
      state.violations.push({ rule, where: method, problem });
      throw new ApiProblem(400, `Bad Request: ${problem}`);
    },

    /** Records a warning. */
    warn(rule: string, problem: string) {
      state.warnings.push({ rule, where: method, problem });
    },
  };
}

/** See `createRejecter`. */
export type Rejecter = ReturnType<typeof createRejecter>;
