import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import { asObject, asObjects, asText, type Json } from "@koma/fake-chat";

const file = new URL("../description/discord-openapi.json.br", import.meta.url);

/** Discord's description of its API. */
export const document: Json = JSON.parse(brotliDecompressSync(readFileSync(file)).toString());

/** The same with closed objects: an undescribed key is invalid. */
export const closedDocument: Json = asObject(close(document)) ?? {};

/** Templates such as `/channels/{channel_id}/messages`, the most literal first. */
const templates = Object.keys(asObject(document.paths) ?? {}).toSorted(
  (one, other) => countVariables(one) - countVariables(other),
);

/** The operation of a method at a template, if the description has it. */
export function findOperation(template: string, method: string): Json | undefined {
  return asObject(asObject(asObject(document.paths)?.[template])?.[method.toLowerCase()]);
}

/** The pointer of a template in the description, or of its operation. */
export function locate(template: string, method?: string): string {
  const path = `/paths/${encodeURIComponent(template.replaceAll("~", "~0").replaceAll("/", "~1"))}`;
  return method === undefined ? path : `${path}/${method.toLowerCase()}`;
}

/** The pointers of the query parameters of an operation, by name. */
export function queryOf(template: string, method: string): ReadonlyMap<string, string> {
  const pointersIn = (holder: Json | undefined, pointer: string) =>
    asObjects(holder?.parameters).flatMap((one, at) =>
      one.in === "query" ? [[asText(one.name) ?? "", `${pointer}/parameters/${at}`] as const] : [],
    );
  return new Map([
    ...pointersIn(asObject(asObject(document.paths)?.[template]), locate(template)),
    ...pointersIn(findOperation(template, method), locate(template, method)),
  ]);
}

/** The template of a decoded path; `@original` takes precedence over a variable. */
export function findTemplate(path: string): string | undefined {
  const parts = path.split("/");
  return templates.find((template) => {
    const expected = template.split("/");
    return (
      expected.length === parts.length && expected.every((part, at) => isVariable(part) || part === parts[at])
    );
  });
}

function countVariables(template: string): number {
  return template.split("/").filter(isVariable).length;
}

function isVariable(part: string): boolean {
  return part.startsWith("{");
}

function close(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(close);
  const node = asObject(value);
  if (node === undefined) return value;
  const meant = findDiscriminator(node);
  if (meant !== undefined) return meant;
  const closed = Object.fromEntries(Object.entries(node).map(([key, inner]) => [key, close(inner)]));
  const isOpenObject = asObject(node.properties) !== undefined && node.additionalProperties === undefined;
  return isOpenObject && !("allOf" in node) && isSchema(node)
    ? { ...closed, additionalProperties: false }
    : closed;
}

/**
 * Alternatives that differ in `type` become "if it is of this type, then it matches that schema": the meaning
 * is the same, and the errors are those of the intended alternative.
 */
function findDiscriminator(node: Json): Json | undefined {
  const references = asObjects(node.oneOf ?? node.anyOf).map((one) => asText(one.$ref));
  const alternatives = references.flatMap(($ref) => {
    const schema = $ref && asObject(asObject(document.components)?.schemas)?.[$ref.split("/").at(-1) ?? ""];
    const types = asObject(asObject(asObject(schema)?.properties)?.type)?.enum;
    return Array.isArray(types) ? [{ $ref, types }] : [];
  });
  if (alternatives.length < 2 || alternatives.length < references.length) return undefined;
  return {
    type: "object",
    required: ["type"],
    properties: { type: { enum: alternatives.flatMap(({ types }) => types) } },
    allOf: alternatives.map(({ $ref, types }) => ({
      if: { properties: { type: { enum: types } }, required: ["type"] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { $ref },
    })),
  };
}

/** True for an object schema, and not for a map with a property called "properties". */
function isSchema(node: Json): boolean {
  return node.type === "object" || (Array.isArray(node.type) && node.type.includes("object"));
}
