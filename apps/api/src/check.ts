import { problems } from "@koma/contract";
import type { z } from "zod";
import { ApiError } from "./api-error.ts";

/** The fields that fit a schema. Throws an ApiError that names each invalid field in plain language. */
export function check<S extends z.ZodType>(schema: S | undefined, value: unknown): z.output<S> | undefined {
  if (schema === undefined) return undefined;
  const checked = schema.safeParse(value, { error: describeIssue });
  if (checked.success) return checked.data;
  const errors = checked.error.issues.map((issue) => ({
    path: issue.path.join("."),
    message: issue.message,
  }));
  const detail = errors
    .map(({ path, message }) => (path === "" ? message : `${path}: ${message}`))
    .join("; ");
  throw new ApiError("invalid_request", detail || problems.invalid_request.title, { errors });
}

/** The message for an issue whose schema defines none. */
function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === "invalid_value") return `must be one of ${issue.values.map(String).join(", ")}`;
  if (issue.code !== "invalid_type") return undefined;
  if (issue.input === undefined) return "is missing";
  if (Array.isArray(issue.input) && issue.expected === "string")
    return "was sent more than once, or as a list";
  return `must be ${types[issue.expected] ?? issue.expected}`;
}

const types: Partial<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  object: "a JSON object",
};
