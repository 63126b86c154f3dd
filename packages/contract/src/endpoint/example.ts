import type { z } from "zod";

/**
 * The first example of a schema, for the examples of schemas that contain it. A test parses all examples of all
 * schemas; here it would take 30 ms of each start.
 */
export function exampleOf<S extends z.ZodType>(schema: S): z.output<S> {
  return listExamples(schema)[0] as z.output<S>;
}

/** The examples of a schema. */
export function listExamples(schema: z.ZodType): unknown[] {
  const examples = schema.meta()?.examples;
  return Array.isArray(examples) ? examples : [];
}
