import type { Accounts } from "@koma/accounts";
import { removeSecondFactor, removeUser, setUserDisabled } from "@koma/contract";
import type { FastifyInstance } from "fastify";
import { ApiError, invalidRequest } from "../api-error.ts";
import { registerEndpoint } from "../register-endpoint.ts";
import { describeAction } from "./operator-library.ts";

type Caller = { userId: string };

/** The changes of accounts in `/api/operator/users`. */
export function registerOperatorUsers(
  app: FastifyInstance,
  { accounts: { users } }: { accounts: Pick<Accounts, "users"> },
): void {
  registerEndpoint(app, setUserDisabled, async ({ caller, params: { id }, json: { isDisabled } }) => {
    const audit = describe(caller, isDisabled ? "user.disable" : "user.enable", id);
    const change = isDisabled ? users.disable : users.enable;
    if (!(await change(id, audit))) throw unknownUser();
  });

  registerEndpoint(app, removeSecondFactor, async ({ caller, params: { id } }) => {
    if (await users.resetTwoFactor(id, describe(caller, "user.reset-2fa", id))) return;
    throw new ApiError("not_found", "This user does not exist, or has no second factor.");
  });

  registerEndpoint(app, removeUser, async ({ caller, params: { id } }) => {
    const audit = describe(caller, "user.delete", id);
    // What remains of a deleted account is found by its hash, but is no user.
    if ((await users.show(id)) === undefined || !(await users.forget(id, audit))) throw unknownUser();
  });
}

/** An administrator who locks the own account out could not undo it on the page. */
function describe(caller: Caller, action: string, userId: string) {
  if (userId === caller.userId) throw invalidRequest("id", "is your own account");
  return describeAction(caller, action, `user:${userId}`);
}

function unknownUser(): ApiError {
  return new ApiError("not_found", "This user does not exist.");
}
