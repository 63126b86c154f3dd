import { z } from "zod";

/** An id as it stands in a path, a query or a form field; opaque. */
export function opaqueId(description: string) {
  return z
    .string()
    .regex(/^[\w-]{1,64}$/, "is not an id")
    .describe(description)
    .meta({ examples: ["cmi8x2k4q0001"] });
}

/** A secret text that the service gave out, as it comes back. */
export function opaqueToken(description: string) {
  return z
    .string()
    .regex(/^[\w-]{1,256}$/, "is not one that was given out")
    .describe(description)
    .meta({ examples: ["4bq0xJcJ2vNnM1l8Yy3o7w"] });
}
