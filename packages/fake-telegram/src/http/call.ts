import { asObject, type Json, readParts, type UploadedFile } from "@koma/fake-chat";
import type { FastifyRequest } from "fastify";
import { botApi } from "../rules/bot-api.ts";
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

/** One parsed call of the bot. */
export type Call = {
  method: string;
  parameters: Json;
  files: ReadonlyMap<string, UploadedFile>;
  reject: Rejecter;
};

/** The methods that the fake has; a return value becomes `result`. */
export type Handlers = Readonly<Record<string, (call: Call) => unknown>>;

/** Parses a call in an encoding that the bot's client uses: JSON, or a form with files. */
export async function readCall(state: FakeState, method: string, request: FastifyRequest): Promise<Call> {
  const isForm = request.isMultipart();
  const read = isForm ? await readParts(request) : { fields: asObject(request.body) ?? {}, files: [] };
  const fields = botApi.methods[method]?.fields ?? [];
  const parameters: Json = Object.fromEntries(
    Object.entries(read.fields).flatMap(([name, value]) => {
      if (value === null || value === undefined) return [];
      const types = fields.find((field) => field.name === name)?.types;
      return [[name, isForm && types ? readValue(types, String(value)) : value]];
    }),
  );
  const files = new Map<string, UploadedFile>(read.files.map((file) => [file.name, file]));
  return { method, parameters, files, reject: createRejecter(state, method) };
}

/** The value of a field of a form: numbers, booleans, objects and lists are JSON. */
function readValue(types: readonly string[], value: string): unknown {
  if (types.some((type) => type === "String" || type === "InputFile") && !/^-?\d+$/.test(value)) return value;
  try {
    return types.length === 1 && types[0] === "String" ? value : JSON.parse(value);
  } catch {
    return value;
  }
}
