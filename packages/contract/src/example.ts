import type { z } from "zod";

/** The first example of a schema, for the examples of those that contain it. Throws where there is none that fits. */
export function exampleOf<S extends z.ZodType>(schema: S): z.output<S> {
  return schema.parse(listExamples(schema)[0]);
}

/** The examples that a schema carries. */
export function listExamples(schema: z.ZodType): unknown[] {
  const examples = schema.meta()?.examples;
  return Array.isArray(examples) ? examples : [];
}
