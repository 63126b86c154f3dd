import { readParts } from "@koma/fake-chat";
import type { FastifyRequest } from "fastify";
import { findTemplate } from "../rules/read-description.ts";
import type { Call } from "./call.ts";
import { DiscordProblem } from "./problems.ts";

/** The prefix of all routes. */
export const apiPrefix = "/api/v10";

/** Parses a request: decoded and matched path, JSON or multipart with `payload_json` and `files[n]`. */
export async function readCall(request: FastifyRequest, templates: readonly string[]): Promise<Call> {
  const url = new URL(request.url, "http://fake");
  const path = url.pathname.slice(apiPrefix.length).split("/").map(decodeURIComponent).join("/");
  const route = findTemplate(templates, path) ?? "";
  const { body, files } = request.isMultipart()
    ? await readUpload(request)
    : { body: request.body, files: [] };
  return {
    method: request.method,
    path,
    route,
    parameters: readParameters(route, path),
    query: Object.fromEntries(url.searchParams),
    body: body ?? (files.length > 0 ? {} : undefined),
    files,
  };
}

/** The body is in `payload_json`, the files are `files[n]`. */
async function readUpload(request: FastifyRequest): Promise<Pick<Call, "body" | "files">> {
  const { fields, files } = await readParts(request);
  const indexOf = (name: string) => /^files\[(\d)\]$/.exec(name)?.[1];
  const unknown = [
    ...Object.keys(fields).filter((name) => name !== "payload_json"),
    ...files.map(({ name }) => name).filter((name) => indexOf(name) === undefined),
  ];
  if (unknown.length > 0) throw new DiscordProblem(50035, { message: `Invalid Form Body: ${unknown[0]}` });
  return {
    body: fields.payload_json === undefined ? undefined : JSON.parse(String(fields.payload_json)),
    files: files.map(({ name, fileName, bytes }) => ({
      index: Number(indexOf(name)),
      name: fileName,
      bytes,
    })),
  };
}

function readParameters(route: string, path: string): Readonly<Record<string, string>> {
  const values = path.split("/");
  return Object.fromEntries(
    route
      .split("/")
      .flatMap((part, at) => (part.startsWith("{") ? [[part.slice(1, -1), values[at] ?? ""]] : [])),
  );
}
