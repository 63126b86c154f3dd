import { describeApi, type Endpoint, endpoints } from "@koma/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "../src/index.ts";
import { respond, startScriptedApi } from "./fixtures/scripted-api.ts";

let api: Awaited<ReturnType<typeof startScriptedApi>>;
beforeAll(async () => {
  api = await startScriptedApi();
});
afterAll(() => api.close());

type Example = { schema: { examples?: unknown[]; default?: unknown } };
type Operation = {
  parameters: ({ name: string; in: string } & Example)[];
  requestBody?: { content: Record<string, { example?: object }> };
  responses: Record<string, { content?: Record<string, { example?: unknown }> }>;
};

const document = JSON.parse(JSON.stringify(describeApi({ baseUrl: "", version: "1" }))) as {
  paths: Record<string, Record<string, Operation>>;
};
const called = (endpoints as readonly Endpoint[])
  .filter((endpoint) => endpoint.raw === undefined)
  .flatMap((endpoint) =>
    Object.keys(endpoint.replies).map((status) => ({ id: endpoint.id, status: Number(status), endpoint })),
  );

test.each(called)(
  "$id sends the described request and returns the content of its $status",
  async ({ endpoint, status }) => {
    const operation = document.paths[endpoint.path]?.[endpoint.method.toLowerCase()];
    if (operation === undefined) throw new Error("The operation is not described.");
    const parameters = operation.parameters.map((parameter) => ({
      ...parameter,
      value: parameter.schema.examples?.[0] ?? parameter.schema.default,
    }));
    const valuesIn = (location: string) =>
      Object.fromEntries(parameters.filter((p) => p.in === location).map((p) => [p.name, p.value]));
    const json = operation.requestBody?.content["application/json"]?.example;
    const [content] = Object.values(operation.responses[status]?.content ?? {});
    api.script(respond(status, content?.example ?? (content && Buffer.from("bytes"))));

    const client = createClient({ baseUrl: api.url, apiKey: "koma_x" });
    const method = client[endpoint.id as keyof typeof client] as (
      input: object,
      options: object,
    ) => Promise<unknown>;
    const input = { ...valuesIn("path"), ...valuesIn("query"), ...json };
    const received = await method(input, { headers: valuesIn("header") });

    if (received instanceof Blob) expect(await received.text()).toBe("bytes");
    else expect(received).toEqual(content?.example);
    expect(api.requests).toHaveLength(1);
    const [request] = api.requests;
    const sent = new URL(request?.path ?? "", api.url);
    const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => String(valuesIn("path")[name]));
    expect(`${request?.method} ${sent.pathname}`).toBe(`${endpoint.method} ${path}`);
    const query = Object.entries(valuesIn("query")).map(([name, value]) => [name, String(value)]);
    expect([...sent.searchParams]).toEqual(query);
    if (json !== undefined) expect(JSON.parse(String(request?.body))).toEqual(json);
    expect(request?.headers).toMatchObject(valuesIn("header"));
  },
);
