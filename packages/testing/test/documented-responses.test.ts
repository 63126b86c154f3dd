import { expect, test } from "vitest";
import { findUndocumented, type ResponseDocument } from "../src/documented-responses.ts";

const Problem = { $ref: "#/components/schemas/Problem" };
const document: ResponseDocument = {
  paths: {
    "/items/{id}": {
      get: {
        responses: {
          "200": { content: { "application/json": { schema: { $ref: "#/components/schemas/Item" } } } },
          "404": {
            content: { "application/problem+json": { schema: Problem, examples: { not_found: {} } } },
          },
        },
      },
    },
  },
  components: { schemas: {} },
};
const requestId = "00000000-0000-0000-0000-000000000000";

function check(
  status: number,
  type: string,
  body: object,
  headers = { "x-request-id": requestId },
  address = "/items/1?a=b",
) {
  const response = {
    status,
    headers: new Headers({ ...headers, "content-type": type }),
    body,
    bytes: Buffer.from(JSON.stringify(body)),
  };
  const findInvalid = (_schema: object, checked: unknown) =>
    Object.keys(checked as object).length === 0 ? "the body is empty" : undefined;
  return findUndocumented(document, "GET", address, response, findInvalid);
}

test("accepts documented responses", () => {
  expect(check(200, "application/json; charset=utf-8", { id: 1 })).toEqual([]);
  expect(check(404, "application/problem+json", { code: "not_found" })).toEqual([]);
  expect(check(404, "text/html", {}, undefined, "/nothing")).toEqual([]);
});

test.each([
  [200, "application/json", {}, "the body is empty"],
  [200, "text/html", { id: 1 }, "200 with the content type text/html is not documented"],
  [409, "application/problem+json", { code: "conflict" }, "the status 409 is not documented"],
  [404, "application/problem+json", { code: "gone" }, "404 gone is not documented"],
  [404, "application/json", { code: "not_found" }, "404 has the content type application/json"],
])("reports %i %s %j", (status, type, body, reason) => {
  expect(check(status, type, body)).toContain(reason);
});

test("reports a response without a request id", () => {
  expect(check(200, "application/json", { id: 1 }, { "x-request-id": "" })).toEqual([
    "x-request-id is missing",
  ]);
});
