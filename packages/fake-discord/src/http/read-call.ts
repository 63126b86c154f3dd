import type { FastifyRequest } from "fastify";
import { findTemplate } from "../rules/read-description.ts";
import type { Call, UploadedFile } from "./call.ts";
import { DiscordProblem } from "./problems.ts";

/** The prefix of all routes. */
export const apiPrefix = "/api/v10";

/** Parses a request: decoded and matched path, JSON or multipart with `payload_json` and `files[n]`. */
export async function readCall(request: FastifyRequest, templates: readonly string[]): Promise<Call> {
  const url = new URL(request.url, "http://fake");
  const path = url.pathname.slice(apiPrefix.length).split("/").map(decodeURIComponent).join("/");
  const route = findTemplate(templates, path) ?? "";
  const { body, files } = request.isMultipart()
    ? await readParts(request)
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

async function readParts(request: FastifyRequest): Promise<{ body: unknown; files: UploadedFile[] }> {
  const files: UploadedFile[] = [];
  let body: unknown;
  for await (const part of request.parts({
    limits: { fileSize: 64 * 1024 * 1024, fieldSize: 4 * 1024 * 1024 },
  })) {
    const index = /^files\[(\d)\]$/.exec(part.fieldname)?.[1];
    if (part.type === "file") {
      const bytes = await part.toBuffer();
      if (index === undefined)
        throw new DiscordProblem(50035, { message: `Invalid Form Body: ${part.fieldname}` });
      files.push({ index: Number(index), name: part.filename, contentType: part.mimetype, bytes });
    } else if (part.fieldname === "payload_json") {
      body = JSON.parse(String(part.value));
    } else {
      throw new DiscordProblem(50035, { message: `Invalid Form Body: ${part.fieldname}` });
    }
  }
  return { body, files };
}

function readParameters(route: string, path: string): Readonly<Record<string, string>> {
  const values = path.split("/");
  return Object.fromEntries(
    route
      .split("/")
      .flatMap((part, at) => (part.startsWith("{") ? [[part.slice(1, -1), values[at] ?? ""]] : [])),
  );
}
