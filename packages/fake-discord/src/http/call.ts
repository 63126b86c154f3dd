import { asObject, type Json, readParts } from "@koma/fake-chat";
import type { FastifyRequest } from "fastify";
import { findTemplate } from "../rules/description.ts";

/** A parsed request of the bot with its route. */
export type Call = {
  method: string;
  /** The decoded path below `/api/v10`. */
  path: string;
  /** The matching template; empty if there is none. */
  route: string;
  parameters: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  body: unknown;
  fields: Json;
  files: readonly { index: number; name: string; bytes: Uint8Array }[];
};

/** The response of a handler. An undefined body is 204. */
export type Response = { status: number; body?: unknown; headers?: Record<string, string> };

/** The handlers by method and template, such as `GET /gateway`: each returns a body, or undefined for 204. */
export type Routes = Readonly<Record<string, (call: Call) => unknown>>;

/** The prefix of all routes. */
export const apiPrefix = "/api/v10";

/** Parses a request: decoded and matched path, JSON or multipart with `payload_json` and `files[n]`. */
export async function readCall(request: FastifyRequest): Promise<Call> {
  const url = new URL(request.url, "http://fake");
  const path = url.pathname.slice(apiPrefix.length).split("/").map(decodeURIComponent).join("/");
  const route = findTemplate(path) ?? "";
  const { body, files } = request.isMultipart()
    ? await readUpload(request)
    : { body: request.body, files: [] };
  const values = path.split("/");
  const parameters = route
    .split("/")
    .flatMap((part, at) => (part.startsWith("{") ? [[part.slice(1, -1), values[at] ?? ""]] : []));
  return {
    method: request.method,
    path,
    route,
    parameters: Object.fromEntries(parameters),
    query: Object.fromEntries(url.searchParams),
    body: body ?? (files.length > 0 ? {} : undefined),
    fields: asObject(body) ?? {},
    files,
  };
}

/** The method and path, without the interaction's token. */
export function describeCall({ method, parameters, path }: Call): string {
  const token = parameters.interaction_token || parameters.webhook_token;
  return `${method} ${token ? path.replace(token, "{token}") : path}`;
}

async function readUpload(request: FastifyRequest): Promise<Pick<Call, "body" | "files">> {
  const { fields, files } = await readParts(request);
  return {
    body: fields.payload_json === undefined ? undefined : JSON.parse(String(fields.payload_json)),
    files: files.map(({ name, fileName, bytes }) => ({
      index: Number(/^files\[(\d)\]$/.exec(name)?.[1]),
      name: fileName,
      bytes,
    })),
  };
}
