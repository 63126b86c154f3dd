import { expect, test } from "vitest";
import { endpoints } from "../src/endpoints.ts";
import { describeApi } from "../src/open-api.ts";
import { problems } from "../src/problem.ts";

const document = JSON.parse(
  JSON.stringify(describeApi({ baseUrl: "https://koma.example", version: "1.2.3" })),
);

test("every reference leads to a schema", () => {
  const references = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w*)"/g)].map(
    ([, id]) => id,
  );
  expect(references.length).toBeGreaterThan(10);
  for (const id of references) expect(Object.keys(document.components.schemas)).toContain(id);
});

test("every endpoint names each of its parameters and errors", () => {
  for (const endpoint of endpoints) {
    const operation = document.paths[endpoint.path][endpoint.method.toLowerCase()];
    expect(operation.operationId).toBe(endpoint.id);
    const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const parameters: { name: string; in: string; required: boolean }[] = operation.parameters;
    const pathParameters = parameters.filter((parameter) => parameter.in === "path");
    expect(pathParameters.map((parameter) => parameter.name)).toEqual(inPath);
    expect(pathParameters.every((parameter) => parameter.required)).toBe(true);
    for (const code of endpoint.errors) {
      expect(operation.responses[problems[code].status].description).toContain(`\`${code}\``);
    }
  }
});

test("what counts against a quota says so in its answers", () => {
  const { responses } = document.paths["/api/anime/search"].post;
  expect(Object.keys(responses[200].headers)).toEqual(["x-request-id", "ratelimit-policy", "ratelimit"]);
  expect(Object.keys(responses[429].headers)).toContain("ratelimit");
  expect(Object.keys(document.paths["/healthz"].get.responses[200].headers)).toEqual(["x-request-id"]);
});

test("every field of an answer is described or speaks for itself, and answers may gain fields", () => {
  expect(document.components.schemas.Match.properties.similarity.description).toMatch(/calibrated/i);
  expect(JSON.stringify(document)).not.toContain('"additionalProperties":false');
});

test("parameters have the type that one writes, with default and bounds", () => {
  const [query, limit] = document.paths["/api/anime"].get.parameters;
  expect(query).toMatchObject({ name: "query", required: false, schema: { type: "string", default: "" } });
  expect(limit.schema).toMatchObject({ type: "integer", minimum: 1, maximum: 100, default: 10 });
});
