import { setTimeout as pause } from "node:timers/promises";
import { DatabaseUnavailableError } from "./errors.ts";

const attempts = 6;
const firstPauseMs = 40;

/**
 * The same store, each call repeated when the connection broke or the call lost a conflict with another.
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
      const failureKind = classify(error);
      if (failureKind === "other") throw error;
      if (attempt === attempts) {
        if (failureKind === "conflict") throw error;
        throw new DatabaseUnavailableError("The connection to the database was lost.", { cause: error });
      }
      await pause(firstPauseMs * 2 ** attempt * (0.5 + Math.random()));
    }
  }
}

type FailureKind = "lost" | "conflict" | "other";

// What the layers call it: Prisma (P…) and its drivers' kinds, SQLSTATE, Node's sockets.
const failurePatterns: readonly [FailureKind, RegExp][] = [
  ["conflict", /^(P2034|P2002|TransactionWriteConflict|UniqueConstraintViolation|40001|40P01|23505)$/],
  ["lost", /^(P1001|P1002|P1008|P1017|ConnectionClosed|DatabaseNotReachable|SocketTimeout)$/],
  ["lost", /^(08\w{3}|57P0\w|ECONN\w+|EPIPE|ENOENT|ETIMEDOUT)$/],
];

// pg has no codes for its own; P2028 says that Prisma's transaction went away or could not begin.
const lostWords =
  /Connection terminated|connection error|Client was closed|terminating connection|when trying to connect|Transaction not found|Unable to start a transaction/;

function classify(error: unknown): FailureKind {
  if (error instanceof DatabaseUnavailableError) return "other";
  for (const fact of listFacts(error, 0)) {
    const [failureKind] = failurePatterns.find(([, pattern]) => pattern.test(fact)) ?? [];
    if (failureKind !== undefined) return failureKind;
    if (lostWords.test(fact)) return "lost";
  }
  return "other";
}

// Prisma hides the driver's error at meta.driverAdapterError.cause, without telling its type.
function listFacts(error: unknown, depth: number): string[] {
  if (typeof error !== "object" || error === null || depth > 6) return [];
  const facts = ["code", "kind", "originalCode", "message"].flatMap((name) => {
    const value: unknown = Reflect.get(error, name);
    return typeof value === "string" ? [value] : [];
  });
  const inner = ["meta", "driverAdapterError", "cause"].flatMap((name) =>
    listFacts(Reflect.get(error, name), depth + 1),
  );
  return [...facts, ...inner];
}
