import { prismaAdapter } from "@better-auth/prisma-adapter";
import type { PrismaClient } from "../generated/client.ts";

/** The value of better-auth's option `database`. */
export type AuthAdapter = ReturnType<typeof prismaAdapter>;

/**
 * Connects better-auth to its tables. It uses no transactions: better-auth hashes passwords and sends mail
 * inside them, and a transaction holds a connection of the pool meanwhile.
 */
export function createAuthAdapter(prisma: PrismaClient): AuthAdapter {
  return prismaAdapter(prisma, { provider: "postgresql", transaction: false });
}
