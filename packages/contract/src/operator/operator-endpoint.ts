import { defineEndpoint, type Endpoint } from "../endpoint/endpoint.ts";

/** The description of all operations for administrators. */
export const forAdministrators = "For administrators only: `koma user admin <user>`.";
export const auditedOperation = `${forAdministrators} The audit log names the administrator.`;

/** An endpoint for administrators with a session. */
export function defineOperatorEndpoint<const E extends Omit<Endpoint, "tag" | "security">>(endpoint: E) {
  return defineEndpoint({ ...endpoint, tag: "Operator", security: ["admin"] });
}
