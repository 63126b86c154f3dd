import { ApiProblem } from "@koma/client";
import type { OwnKey } from "./accounts.ts";

/** The API rejects a person's own key. */
export class KeyRefusedError extends Error {
  override readonly name = "KeyRefusedError";
  readonly ownKey: OwnKey;

  constructor(ownKey: OwnKey) {
    super("The API rejects a linked key.");
    this.ownKey = ownKey;
  }
}

/** The result of a call with a person's own key. Throws KeyRefusedError if the API rejects the key. */
export async function withOwnKey<Result>(ownKey: OwnKey, call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (isRefusal(error)) throw new KeyRefusedError(ownKey);
    throw error;
  }
}

/** True if the API reported that a key is not valid. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ApiProblem && error.status === 401;
}
