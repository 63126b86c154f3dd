import { setTimeout as pause } from "node:timers/promises";
import { DatabaseUnavailableError } from "./errors.ts";

const attempts = 5;
const firstPauseMs = 50;

/**
 * The same store, each call repeated when the connection broke or the database chose it as the victim of a conflict.
 * Every method must bear being run again after it took effect unnoticed.
 */
export function retryMethods<Store extends object>(store: Store): Store {
  return new Proxy(store, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== "function") return method;
      return (...values: unknown[]) => retry(() => Reflect.apply(method, target, values));
    },
  });
}

/** Runs `work` again after a lost connection or a conflict, a few times; then throws DatabaseUnavailableError. */
export async function retry<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const kind = classify(error);
      if (kind === "other") throw error;
      if (attempt === attempts) {
        if (kind === "conflict") throw error;
        throw new DatabaseUnavailableError("The connection to the database was lost; try again.", {
          cause: error,
        });
      }
      await pause(firstPauseMs * 2 ** attempt * (0.5 + Math.random()));
    }
  }
}

// What the layers say when the connection breaks: pg, Node's sockets, PostgreSQL (08xxx, 57P0x) and Prisma (P1xxx).
const lostConnection =
  /Connection terminated|Client has encountered a connection error|Client was closed|terminating connection|timeout exceeded when trying to connect|socket hang up/;
const lostCodes = /^(ECONN\w+|EPIPE|ENOENT|ETIMEDOUT|08\w{3}|57P0\w|P1001|P1002|P1008|P1017)$/;
// Serialization failure, deadlock, unique violation in a race, Prisma's write conflict.
const conflictCodes = /^(40001|40P01|P2034)$/;

function classify(error: unknown): "lost" | "conflict" | "other" {
  if (error instanceof DatabaseUnavailableError) return "other";
  for (
    let current = error, depth = 0;
    current instanceof Error && depth < 6;
    current = current.cause, depth++
  ) {
    const code = "code" in current && typeof current.code === "string" ? current.code : "";
    if (conflictCodes.test(code)) return "conflict";
    if (lostCodes.test(code) || lostConnection.test(current.message)) return "lost";
  }
  return "other";
}
