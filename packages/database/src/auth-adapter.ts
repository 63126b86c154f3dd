import { prismaAdapter } from "@better-auth/prisma-adapter";
import type { PrismaClient } from "./generated/client.ts";
import { retry } from "./retry-methods.ts";

/** What better-auth wants as its `database`. */
export type AuthAdapter = ReturnType<typeof prismaAdapter>;

/**
 * better-auth's tables in this database. Without transactions: better-auth hashes passwords and sends mail in them, and a
 * transaction on the embedded database keeps all others out. What reads or can be written twice is repeated after a lost
 * connection.
 */
export function createAuthAdapter(prisma: PrismaClient): AuthAdapter {
  const connect = prismaAdapter(prisma, { provider: "postgresql", transaction: false });
  return (options) => {
    const adapter = connect(options);
    const { findOne, findMany, count, update, updateMany, deleteMany } = adapter;
    const remove = adapter.delete;
    // Changed in place, because better-auth remembers this very object.
    return Object.assign(adapter, {
      findOne: (query: Parameters<typeof findOne>[0]) => retry(() => findOne(query)),
      findMany: (query: Parameters<typeof findMany>[0]) => retry(() => findMany(query)),
      count: (query: Parameters<typeof count>[0]) => retry(() => count(query)),
      update: (query: Parameters<typeof update>[0]) => retry(() => update(query)),
      updateMany: (query: Parameters<typeof updateMany>[0]) => retry(() => updateMany(query)),
      delete: (query: Parameters<typeof remove>[0]) => retry(() => remove(query)),
      deleteMany: (query: Parameters<typeof deleteMany>[0]) => retry(() => deleteMany(query)),
    });
  };
}
