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
export function createCall(
  state: FakeState,
  description: Description,
  read: { method: string; params: Json; files: Call["files"]; encoding: Call["encoding"] },
): Call {
  const fields = description?.methods[read.method]?.fields ?? [];
  const isText = read.encoding !== "json" && read.encoding !== "webhook";
  const parameters = Object.fromEntries(
    Object.entries(read.params).flatMap(([name, value]) => {
      if (value === null || value === undefined) return [];
      const types = fields.find((field) => field.name === name)?.types;
      return [[name, types ? readValue(types, value, isText) : parseValue(name, value, isText)]];
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

const objects =
  /^(reply_markup|reply_parameters|link_preview_options|media|results?|commands|scope|reaction|button|allowed_updates|message_ids|\w*entities)$/;
const numbers =
  /^(chat_id|message_id|message_thread_id|user_id|offset|limit|timeout|width|height|duration|cache_time|max_connections)$/;
const truths = /^(has|is|show|disable|protect|supports|drop)_/;

/** Without a description, the value is parsed by the names of the parameters. */
function parseValue(name: string, value: unknown, isText: boolean): unknown {
  if (typeof value !== "string") return value;
  if (objects.test(name)) return parse(value);
  if (!isText) return value;
  const isOther =
    (numbers.test(name) && /^-?\d+$/.test(value)) || (truths.test(name) && /^(true|false)$/.test(value));
  return isOther ? parse(value) : value;
}

function parse(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
