import { z } from "zod";
import { opaqueId } from "../endpoint/opaque-id.ts";
import { auditedOperation, defineOperatorEndpoint } from "./operator-endpoint.ts";

const params = z.object({ id: opaqueId("The user's id, which is not the administrator's own.") });

/** Disables or enables a user. */
export const setUserDisabled = defineOperatorEndpoint({
  id: "setUserDisabled",
  method: "POST",
  path: "/api/operator/users/{id}/disabled",
  summary: "Disable or enable a user",
  description: `${auditedOperation} A disabled user loses all sessions, and the API keys are refused until the user is enabled again.`,
  params,
  json: z
    .object({ isDisabled: z.boolean().describe("False enables the user again.") })
    .meta({ examples: [{ isDisabled: true }] }),
  isRepeatable: true,
  replies: { 204: { description: "The user is disabled or enabled." } },
  errors: ["not_found"],
});

/** Removes the second factor of a user. */
export const removeSecondFactor = defineOperatorEndpoint({
  id: "removeSecondFactor",
  method: "DELETE",
  path: "/api/operator/users/{id}/second-factor",
  summary: "Remove a lost second factor",
  description: `${auditedOperation} All sessions of the user end.`,
  params,
  replies: { 204: { description: "The user signs in with the password alone." } },
  errors: ["not_found"],
});

/** Deletes a user. */
export const removeUser = defineOperatorEndpoint({
  id: "removeUser",
  method: "DELETE",
  path: "/api/operator/users/{id}",
  summary: "Delete a user",
  description: `${auditedOperation} API keys, credits and history are deleted too. Public confirmed searches stay without a reference to the user.`,
  params,
  replies: { 204: { description: "The user is deleted." } },
  errors: ["not_found"],
});
