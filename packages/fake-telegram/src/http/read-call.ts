import { asObject, type Json, readParts, type UploadedFile } from "@koma/fake-chat";
import type { FastifyRequest } from "fastify";
import type { Description } from "../rules/read-description.ts";
import type { FakeState } from "../state/fake-state.ts";
import type { Call } from "./call.ts";
import { createRejecter } from "./problems.ts";

/** Parses a call in an encoding that the bot's client uses: JSON, or a form with files. */
export async function readCall(
  state: FakeState,
  description: Description,
  method: string,
  request: FastifyRequest,
): Promise<Call> {
  const isForm = request.isMultipart();
  const read = isForm ? await readParts(request) : { fields: asObject(request.body) ?? {}, files: [] };
  const fields = description.methods[method]?.fields ?? [];
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
