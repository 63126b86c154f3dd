import type { Prisma } from "./generated/client.ts";

/** JSON as it is stored. */
export type JsonValue = Prisma.JsonValue;

/** An object in JSON as it is stored. */
export type JsonObject = Prisma.JsonObject;
