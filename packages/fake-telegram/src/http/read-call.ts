import { asObject, type Json, readParts, type UploadedFile } from "@koma/fake-chat";
import type { FastifyRequest } from "fastify";
import type { Description } from "../rules/read-description.ts";
import type { FakeState } from "../state/fake-state.ts";
import type { Call } from "./call.ts";
import { createRejecter } from "./problems.ts";

/** Parses a call in any encoding: parameters in the address, as a form, as JSON, or with files. */
export async function readCall(
  state: FakeState,
  description: Description,
  method: string,
  request: FastifyRequest,
): Promise<Call> {
  const type = request.headers["content-type"] ?? "";
  const files = new Map<string, UploadedFile>();
  const query = request.query as Json;
  let params: Json = query;
  let encoding: Call["encoding"] = "query";
  if (request.isMultipart()) {
    encoding = "multipart";
    const read = await readParts(request);
    for (const file of read.files) files.set(file.name, file);
    params = { ...query, ...read.fields };
  } else if (type.startsWith("application/json")) {
    encoding = "json";
    params = { ...query, ...asObject(request.body) };
  } else if (type.startsWith("application/x-www-form-urlencoded")) {
    encoding = "form";
    params = { ...query, ...Object.fromEntries(new URLSearchParams(String(request.body))) };
  }
  return createCall(state, description, { method, params, files, encoding });
}

/** A call with parsed parameters. */
function createCall(
  state: FakeState,
  description: Description,
  read: { method: string; params: Json; files: Call["files"]; encoding: Call["encoding"] },
): Call {
  const fields = description.methods[read.method]?.fields ?? [];
  const isText = read.encoding !== "json";
  const parameters = Object.fromEntries(
    Object.entries(read.params).flatMap(([name, value]) => {
      if (value === null || value === undefined) return [];
      const types = fields.find((field) => field.name === name)?.types;
      return [[name, types ? readValue(types, value, isText) : value]];
    }),
  );
  // A file under the parameter's own name needs no `attach://`.
  for (const name of read.files.keys())
    if (
      fields.some((field) => field.name === name && field.types.includes("InputFile")) &&
      parameters[name] === undefined
    )
      parameters[name] = `attach://${name}`;
  const { method, files, encoding } = read;
  return { method, parameters, files, encoding, reject: createRejecter(state, method) };
}

/** A form contains only text: numbers and booleans are parsed, objects and lists are JSON. */
function readValue(types: readonly string[], value: unknown, isText: boolean): unknown {
  if (typeof value !== "string") return value;
  const isOneOf = (type: string) => types.includes(type);
  if (isText && isOneOf("Integer") && /^-?\d+$/.test(value)) return Number(value);
  if (isText && isOneOf("Float") && /^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  if (isText && isOneOf("Boolean") && /^(true|false)$/i.test(value)) return value.toLowerCase() === "true";
  const isPlain = types.some((type) => /^(String|InputFile|Integer|Float|Boolean)$/.test(type));
  return isPlain ? value : parse(value);
}

function parse(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
