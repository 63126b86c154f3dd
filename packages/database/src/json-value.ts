import type { Prisma } from "./generated/client.ts";

/** Stored JSON. */
export type JsonValue = Prisma.JsonValue;

/** A stored JSON object. */
export type JsonObject = Prisma.JsonObject;
