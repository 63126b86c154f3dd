import { createClientOf } from "@koma/client";
import { operatorEndpoints } from "@koma/contract";
import { siteOptions } from "./koma.ts";

/** The operations for administrators; only the operator page loads them. */
export const operator = createClientOf(operatorEndpoints, siteOptions);
