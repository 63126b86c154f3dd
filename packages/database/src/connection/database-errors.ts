import { DatabaseUnavailableError } from "../errors.ts";

/**
 * Returns true when an error means that the database does not respond, so the same call can succeed later.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailableError) return true;
  return listFacts(error).some((fact) => unavailableCode.test(fact) || unavailableMessage.test(fact));
}

/** Returns true when the database, or this process, has no space left to write to. */
export function isDiskFull(error: unknown): boolean {
  // The message of an error from another thread names the code that the error has lost.
  return listFacts(error).some((fact) => fact === "53100" || /^ENOSPC\b/.test(fact));
}

/** Returns true when a transaction was rolled back because of a concurrent one, so it can be run again. */
export function isSerializationFailure(error: unknown): boolean {
  return listFacts(error).some((fact) => serializationCode.test(fact));
}

/** Returns true when a function of the database raised this SQLSTATE. */
export function hasSqlState(error: unknown, sqlState: string): boolean {
  return listFacts(error).includes(sqlState);
}

/** Returns true when a statement violated a unique constraint. */
export function isUniqueViolation(error: unknown): boolean {
  return listFacts(error).some((fact) => uniqueCode.test(fact));
}

// Codes of Prisma (P...), kinds of its driver adapters, SQLSTATE, and codes of Node's sockets. A load balancer
// leads to the former primary, which rejects writes with 25006, until it has noticed a failover. 53... is a lack
// of disk, memory or connections.
const serializationCode = /^(P2034|TransactionWriteConflict|40001|40P01)$/;
const uniqueCode = /^(P2002|UniqueConstraintViolation|23505)$/;
const unavailableCode =
  /^(P1001|P1002|P1008|P1017|ConnectionClosed|DatabaseNotReachable|SocketTimeout|08\w{3}|25006|53[123]00|57P0\w|ECONN\w+|EPIPE|ENOENT|ETIMEDOUT)$/;
// Errors of pg without a code, and P2028 of a transaction that ended with its connection or did not begin.
const unavailableMessage =
  /Connection terminated|connection error|Client was closed|terminating connection|when trying to connect|Transaction not found|Unable to start a transaction/;

// Prisma stores the driver's error at meta.driverAdapterError.cause, which its types do not show.
function listFacts(error: unknown, depth = 0): string[] {
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
