import type { Endpoint } from "./endpoint/endpoint.ts";
import { operatorEndpoints } from "./operator/operator-endpoints.ts";
import { userEndpoints } from "./user-endpoints.ts";

/** Every operation of the API. */
export const endpoints = [...userEndpoints, ...operatorEndpoints] as const satisfies readonly Endpoint[];
