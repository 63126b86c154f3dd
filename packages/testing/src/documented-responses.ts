/** A response to check. `body` is the parsed JSON of a JSON response. */
export type CheckedResponse = { status: number; headers: Headers; body: unknown; bytes: Uint8Array };

type Schema = { $ref?: string };
type Operation = {
  responses: Record<string, { content?: Record<string, { schema: Schema; examples?: object }> }>;
};

/** The parts of `/openapi.json` that describe responses. */
export type ResponseDocument = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: object };
};

/**
 * Compares a response with the OpenAPI document and returns what is not documented: status, content type,
 * error code, or a body that `findInvalid` rejects for the name of its schema.
 */
export function findUndocumented(
  document: ResponseDocument,
  method: string,
  address: string,
  response: CheckedResponse,
  findInvalid: (schema: Schema, body: unknown) => string | undefined,
): string[] {
  const found: string[] = [];
  const { status, headers, body } = response;
  if (!/^[0-9a-f-]{36}$/.test(headers.get("x-request-id") ?? "")) found.push("x-request-id is missing");
  const path = address.split("?")[0] ?? "";
  const type = headers.get("content-type")?.split(";")[0] ?? "";
  const isProblem = type === "application/problem+json";
  // better-auth and JSON-RPC define the format of these bodies.
  if (path.startsWith("/api/auth/") || (path === "/mcp" && !isProblem)) return found;
  // A request that is not HTTP reaches no operation.
  const isUnreadable = (body as { detail?: string } | undefined)?.detail === "The request is not valid HTTP.";
  const operation = isUnreadable ? undefined : findOperation(document, method, path);
  const checkBody = (schema: Schema) => {
    const invalid = method === "HEAD" ? undefined : findInvalid(schema, body);
    if (invalid !== undefined) found.push(invalid);
  };
  // trace.moe defines its errors; browsers get a page where nothing is.
  const isForeign = path.startsWith("/trace.moe/") && !isUnreadable;
  const isPage = operation === undefined && status === 404 && type === "text/html";
  if (!isForeign && !isPage && isProblem !== status >= 400)
    found.push(`${status} has the content type ${type || "none"}`);
  if (operation === undefined) {
    if (isProblem) checkBody({ $ref: "#/components/schemas/Problem" });
    return found;
  }
  if (status === 304) return found;
  const described = operation.responses[String(status)];
  if (described === undefined) return [...found, `the status ${status} is not documented`];
  if (described.content === undefined) {
    if (response.bytes.length > 0) found.push(`${status} has a body`);
    return found;
  }
  const content = described.content[type];
  if (content === undefined) return [...found, `${status} with the content type ${type} is not documented`];
  if (type.endsWith("json")) checkBody(content.schema);
  if (isProblem) {
    const { code } = body as { code: string };
    if (!Object.keys(content.examples ?? {}).includes(code))
      found.push(`${status} ${code} is not documented`);
  }
  if ((status === 429 || status === 503) && !(Number(headers.get("retry-after")) > 0)) {
    found.push("retry-after is missing");
  }
  return found;
}

function findOperation(document: ResponseDocument, method: string, path: string): Operation | undefined {
  const name = method.toLowerCase();
  const known = Object.entries(document.paths).find(
    ([template, operations]) =>
      operations[name] !== undefined && new RegExp(`^${template.replace(/\{\w+\}/g, "[^/]+")}/?$`).test(path),
  );
  return known?.[1][name];
}
