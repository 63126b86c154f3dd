import type { FakeState } from "../state/fake-state.ts";

/** What a refused call is told besides its description. */
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

/** A refusal for which the bot is not to blame: the world is as it is. */
export function deny(description: string, status = 400, parameters?: ProblemParameters): never {
  throw new ApiProblem(status, description, parameters);
}

/** How the rules speak while one call is looked at. */
export function createRejecter(state: FakeState, method: string) {
  return {
    /** The bot broke a rule, yet Telegram would let it pass. */
    blame(rule: string, problem: string) {
      state.violations.push({ rule, where: method, problem });
    },

    /** The bot broke a rule, and Telegram refuses the call. */
    refuse(rule: string, problem: string, description = `Bad Request: ${problem}`): never {
      state.violations.push({ rule, where: method, problem });
      throw new ApiProblem(400, description);
    },

    /** Doubtful, no more. */
    warn(rule: string, problem: string) {
      state.warnings.push({ rule, where: method, problem });
    },
  };
}

/** See `createRejecter`. */
export type Rejecter = ReturnType<typeof createRejecter>;
