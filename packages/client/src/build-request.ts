import type { Endpoint } from "@koma/contract";
import { ApiProblem } from "./errors.ts";

/** The arguments of a method, by name. */
export type Values = { readonly [name: string]: unknown };

/** The address and the `fetch` options of a call. Throws ApiProblem for an invalid path parameter. */
export function buildRequest(endpoint: Endpoint, input: Values, headers: Headers) {
  const search = buildQuery(endpoint, input).toString();
  const body = buildBody(endpoint, input);
  // FormData sets the content type with its boundary.
  if (typeof body === "string") headers.set("content-type", "application/json");
  return {
    path: `${buildPath(endpoint, input)}${search === "" ? "" : `?${search}`}`,
    init: { method: endpoint.method, headers, ...(body === undefined ? {} : { body }) },
  };
}

function buildPath(endpoint: Endpoint, input: Values): string {
  // Validated here, because a value like ".." would address another endpoint.
  const checked = endpoint.params?.safeParse(input);
  if (checked?.success === false) {
    const errors = checked.error.issues.map(({ path, message }) => ({ path: path.join("."), message }));
    const detail = errors.map((error) => `${error.path}: ${error.message}`).join("; ");
    throw new ApiProblem({ code: "invalid_request", status: 400, detail, requestId: "", errors });
  }
  const params: Values = checked?.data ?? {};
  return endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
}

function buildQuery(endpoint: Endpoint, input: Values): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of pick(endpoint.query?.shape, input)) query.append(name, String(value));
  return query;
}

function buildBody(endpoint: Endpoint, input: Values): FormData | string | undefined {
  if (endpoint.json !== undefined) {
    return JSON.stringify(Object.fromEntries(pick(endpoint.json.shape, input)));
  }
  if (endpoint.form === undefined) return undefined;
  const form = new FormData();
  for (const [name, value] of pick(endpoint.form.fields.shape, input)) form.append(name, String(value));
  for (const [name, value] of pick(endpoint.form.files, input)) {
    if (value instanceof Blob) form.append(name, value, name);
  }
  return form;
}

function pick(names: object | undefined, input: Values): [name: string, value: unknown][] {
  return Object.keys(names ?? {}).flatMap((name): [string, unknown][] =>
    input[name] === undefined ? [] : [[name, input[name]]],
  );
}
