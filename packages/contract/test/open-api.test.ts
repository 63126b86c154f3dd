import { expect, test } from "vitest";
import { listErrors } from "../src/endpoint/list-errors.ts";
import { problems } from "../src/endpoint/problem.ts";
import { endpoints } from "../src/endpoints.ts";
import { describeApi } from "../src/open-api/open-api.ts";

const document = JSON.parse(
  JSON.stringify(describeApi({ baseUrl: "https://koma.example", version: "1.2.3" })),
);

test("every reference resolves to a schema", () => {
  const references = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w*)"/g)].map(
    ([, id]) => id,
  );
  expect(references.length).toBeGreaterThan(10);
  for (const id of references) expect(Object.keys(document.components.schemas)).toContain(id);
});

test("every endpoint lists each of its parameters and errors", () => {
  for (const endpoint of endpoints) {
    const operation = document.paths[endpoint.path][endpoint.method.toLowerCase()];
    expect(operation.operationId).toBe(endpoint.id);
    const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const parameters: { name: string; in: string; required: boolean }[] = operation.parameters;
    const pathParameters = parameters.filter((parameter) => parameter.in === "path");
    expect(pathParameters.map((parameter) => parameter.name)).toEqual(inPath);
    expect(pathParameters.every((parameter) => parameter.required)).toBe(true);
    for (const code of listErrors(endpoint)) {
      const response = operation.responses[problems[code].status];
      expect(response.description).toContain(`\`${code}\``);
      const { $ref } = response.content["application/problem+json"].examples[code];
      expect(document.components.examples[$ref.split("/").at(-1)].value).toMatchObject({ code });
    }
  }
});

test("metered operations document their rate limit headers", () => {
  const { responses } = document.paths["/api/anime/search"].post;
  expect(Object.keys(responses[200].headers)).toEqual(["x-request-id", "ratelimit-policy", "ratelimit"]);
  expect(Object.keys(responses[429].headers)).toContain("ratelimit");
  expect(Object.keys(document.paths["/healthz"].get.responses[200].headers)).toEqual(["x-request-id"]);
});

test("every field of a body has a description, and bodies may gain fields", () => {
  const bodies = Object.values<{ [method: string]: Operation }>(document.paths).flatMap((path) =>
    Object.values(path).flatMap(({ requestBody }) =>
      Object.values(requestBody?.content ?? {}).map((content) => content.schema),
    ),
  );
  const fields = [...Object.values<Schema>(document.components.schemas), ...bodies].flatMap(listFields);
  expect(fields.length).toBeGreaterThan(100);
  expect(fields.filter(({ schema }) => !schema.description && !schema.$ref).map(({ name }) => name)).toEqual(
    [],
  );
  expect(JSON.stringify(document)).not.toContain('"additionalProperties":false');
});

type Operation = { requestBody?: { content: Record<string, { schema: Schema }> } };
type Schema = {
  $ref?: string;
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
};

function listFields(schema: Schema): { name: string; schema: Schema }[] {
  const own = Object.entries(schema.properties ?? {}).map(([name, field]) => ({ name, schema: field }));
  const inside = [
    ...own.map((field) => field.schema),
    ...(schema.items ? [schema.items] : []),
    ...(schema.anyOf ?? []),
  ];
  return [...own, ...inside.flatMap(listFields)];
}

test("security schemes describe the permitted callers", () => {
  const { session, apiKey } = document.components.securitySchemes;
  expect(session).toMatchObject({ type: "apiKey", in: "cookie", name: "better-auth.session_token" });
  expect(apiKey).toMatchObject({ type: "http", scheme: "bearer" });
  const security = (path: string, method: string) => document.paths[path][method].security;
  expect(security("/api/anime/search", "post")).toEqual([{}, { session: [] }, { apiKey: ["search"] }]);
  expect(security("/api/anime/rankings", "get")).toEqual([]);
  expect(security("/api/user/anime-credits", "get")).toEqual([{ session: [] }, { apiKey: ["account"] }]);
  expect(security("/api/apikeys", "post")).toEqual([{ session: [] }]);
  expect(security("/api/apikeys/current", "delete")).toEqual([{ apiKey: [] }]);
  expect(security("/api/operator/users", "get")).toEqual([{ session: ["admin"] }]);
  expect(security("/api/links", "post")).toEqual([{ apiKey: ["bot"] }]);
});

test("bodies have examples, and a response without content has none", () => {
  const { requestBody, responses } = document.paths["/api/apikeys"].post;
  expect(requestBody.content["application/json"].example).toMatchObject({ title: "My script" });
  expect(responses[201].content["application/json"].example).toMatchObject({ title: "My script" });
  expect(document.paths["/api/apikeys/{id}"].delete.responses[204]).not.toHaveProperty("content");
  expect(Object.keys(document.paths["/api/links/token"].post.responses[429].headers)).toContain(
    "retry-after",
  );
});

test("parameters have the type of their value, with default and limits", () => {
  const [query, limit] = document.paths["/api/anime"].get.parameters;
  expect(query).toMatchObject({ name: "query", required: false, schema: { type: "string", default: "" } });
  expect(limit.schema).toMatchObject({ type: "integer", minimum: 1, maximum: 100, default: 10 });
});
