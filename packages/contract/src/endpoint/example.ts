import type { z } from "zod";

/**
 * The first example of a schema, for the examples of schemas that contain it. Throws if there is no valid
 * one.
 */
export function exampleOf<S extends z.ZodType>(schema: S): z.output<S> {
  return schema.parse(listExamples(schema)[0]);
}

/** The examples of a schema. */
export function listExamples(schema: z.ZodType): unknown[] {
  const examples = schema.meta()?.examples;
  return Array.isArray(examples) ? examples : [];
}
