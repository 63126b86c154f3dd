import { asObject, type Json } from "@koma/fake-chat";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { closedDocument, document, findOperation, locate, queryOf } from "./description.ts";

/** One violation of the description. */
type Misfit = { rule: "schema" | "unknown-key" | "query" | "path"; problem: string };

// Schemas are compiled at their first use.
const openAjv = createAjv(document);
const closedAjv = createAjv(closedDocument);
const compiled = new Map<string, ValidateFunction>();

/** The violations in the JSON body of an operation. */
export function checkBody(template: string, method: string, body: unknown): readonly Misfit[] {
  const operation = findOperation(template, method);
  const content = asObject(asObject(operation?.requestBody)?.content);
  if (content?.["application/json"] === undefined) {
    return body === undefined ? [] : [{ rule: "schema", problem: "an undescribed body" }];
  }
  if (body === undefined) {
    const isRequired = asObject(operation?.requestBody)?.required === true;
    return isRequired ? [{ rule: "schema", problem: "no body" }] : [];
  }
  const pointer = `${locate(template, method)}/requestBody/content/application~1json/schema`;
  const isFit = compile(closedAjv, pointer);
  return isFit(body) ? [] : explain(isFit.errors);
}

/** The violations in the query: unknown names, values of the wrong type. */
export function checkQuery(
  template: string,
  method: string,
  query: Readonly<Record<string, string>>,
): readonly Misfit[] {
  const known = queryOf(template, method);
  return Object.entries(query).flatMap(([name, value]): readonly Misfit[] => {
    const pointer = known.get(name);
    if (pointer === undefined) return [{ rule: "query", problem: `unknown query parameter ${name}` }];
    const isFit = compile(openAjv, `${pointer}/schema`);
    return isFit(value) || isFit(readValue(value))
      ? []
      : [{ rule: "query", problem: `query parameter ${name}: ${openAjv.errorsText(isFit.errors)}` }];
  });
}

/** The violations in a response of the fake. */
export function checkResponse(
  template: string,
  method: string,
  status: number,
  body: unknown,
): readonly Misfit[] {
  const operation = findOperation(template, method);
  const responses = asObject(operation?.responses) ?? {};
  const name = [String(status), `${Math.floor(status / 100)}XX`].find((one) => responses[one] !== undefined);
  if (name === undefined) {
    return status >= 500 ? [] : [{ rule: "schema", problem: `no response ${status} is described` }];
  }
  const reference = asObject(responses[name])?.$ref;
  const base =
    typeof reference === "string" ? reference.slice(1) : `${locate(template, method)}/responses/${name}`;
  const holder = resolve(base);
  if (asObject(asObject(holder)?.content)?.["application/json"] === undefined) {
    return body === undefined ? [] : [{ rule: "schema", problem: `a response ${status} has no body` }];
  }
  const ajv = status >= 400 ? openAjv : closedAjv;
  const isFit = compile(ajv, `${base}/content/application~1json/schema`);
  return isFit(asDescribed(body)) ? [] : explain(isFit.errors);
}

/** The violations of a named schema. */
export function checkAs(schema: string, value: unknown): readonly Misfit[] {
  const isFit = compile(closedAjv, `/components/schemas/${schema}`);
  return isFit(asDescribed(value)) ? [] : explain(isFit.errors);
}

function compile(ajv: Ajv2020, pointer: string): ValidateFunction {
  const key = `${ajv === closedAjv}${pointer}`;
  const known = compiled.get(key);
  if (known) return known;
  const created = ajv.compile({ $ref: `discord#${pointer}` });
  compiled.set(key, created);
  return created;
}

function createAjv(schema: Json): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
  addFormats.default(ajv, ["date-time", "uri", "int32", "int64", "double"]);
  ajv.addFormat("nonce", true);
  ajv.addFormat("snowflake", /^\d{1,20}$/);
  ajv.addSchema({ ...schema, $id: "discord" });
  return ajv;
}

function resolve(pointer: string): unknown {
  const parts = pointer.split("/").slice(1).map(decodeURIComponent);
  return parts.reduce<unknown>(
    (node, part) => asObject(node)?.[part.replaceAll("~1", "/").replaceAll("~0", "~")],
    document,
  );
}

function readValue(text: string): unknown {
  if (text === "true" || text === "false") return text === "true";
  return /^-?\d+$/.test(text) ? Number(text) : text;
}

/** The useful errors: the deepest ones, without those about unused alternatives (or null). */
function explain(errors: readonly ErrorObject[] | null | undefined): readonly Misfit[] {
  const all = errors ?? [];
  const relevant = all.filter((error) => !["oneOf", "anyOf", "if"].includes(error.keyword) && !isNull(error));
  const misfits = (relevant.length > 0 ? relevant : all).map(
    (error): Misfit => ({
      rule: error.keyword === "additionalProperties" ? "unknown-key" : "schema",
      problem: describe(error),
    }),
  );
  return [...new Map(misfits.map((misfit) => [misfit.problem, misfit])).values()].slice(0, 8);
}

/** The alternative "null" of a field that may be absent. */
function isNull(error: ErrorObject): boolean {
  return error.keyword === "type" && error.params.type === "null";
}

function describe(error: ErrorObject): string {
  const path = error.instancePath || "/";
  if (error.keyword === "additionalProperties")
    return `${path}: unknown key ${error.params.additionalProperty}`;
  const values = Array.isArray(error.params.allowedValues)
    ? `: ${error.params.allowedValues.join(", ")}`
    : "";
  return `${path}: ${error.message ?? error.keyword}${values}`;
}

/**
 * Adjusts a value in the two places where Discord's responses differ from its description: texts as codes
 * inside `errors`, and 1 as the type of a forwarding reference.
 */
function asDescribed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asDescribed);
  const fields = asObject(value);
  if (fields === undefined) return value;
  const isProblem = typeof fields.code === "number" && typeof fields.message === "string";
  const stored = Object.entries(fields).filter(
    ([key, inner]) => inner !== undefined && !(isProblem && key === "errors"),
  );
  return Object.fromEntries(
    stored.map(([key, inner]) => [
      key,
      key === "message_reference" ? asReply(asObject(inner)) : asDescribed(inner),
    ]),
  );
}

function asReply(reference: Json | undefined): Json | undefined {
  return reference?.type === 1 ? { ...reference, type: 0 } : reference;
}
