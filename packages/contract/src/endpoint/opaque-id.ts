import { z } from "zod";

/** An opaque id in a path, a query or a form field. */
export function opaqueId(description: string) {
  return z
    .string()
    .regex(/^[\w-]{1,64}$/, "is not an id")
    .describe(description)
    .meta({ examples: ["cmi8x2k4q0001"] });
}

/** An opaque token that the service issued. */
export function opaqueToken(description: string) {
  return z
    .string()
    .regex(/^[\w-]{1,256}$/, "is not an issued token")
    .describe(description)
    .meta({ examples: ["4bq0xJcJ2vNnM1l8Yy3o7w"] });
}
