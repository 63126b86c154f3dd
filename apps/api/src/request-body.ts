import type { Endpoint } from "@koma/contract";
import type { FastifyInstance } from "fastify";
import { ApiError } from "./api-error.ts";

const jsonLimitBytes = 16 * 1024;
const rawLimitBytes = 512 * 1024;

/** Sets which bodies the routes of a scope understand: those of the endpoint, and no others. */
export function acceptBody(scope: FastifyInstance, endpoint: Endpoint): void {
  if (endpoint.form !== undefined) {
    refuseOthers(scope, "multipart/form-data");
    return;
  }
  scope.removeAllContentTypeParsers();
  if (endpoint.json !== undefined) {
    const options = { parseAs: "buffer", bodyLimit: jsonLimitBytes } as const;
    scope.addContentTypeParser("application/json", options, async (_request: unknown, body: Buffer) =>
      readJson(body),
    );
    refuseOthers(scope, "application/json");
  } else if (endpoint.raw !== undefined) {
    const options = { parseAs: "buffer", bodyLimit: rawLimitBytes } as const;
    scope.addContentTypeParser("*", options, async (_request: unknown, body: Buffer) => body);
  } else {
    // Some clients send a content type, or an empty object, with whatever they ask.
    scope.addContentTypeParser("*", async () => undefined);
  }
}

function refuseOthers(scope: FastifyInstance, wanted: string): void {
  scope.addContentTypeParser("*", async () => {
    throw new ApiError("unsupported_media_type", `Send ${wanted}.`);
  });
}

function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw new ApiError("invalid_request", "The body is not JSON.");
  }
}
