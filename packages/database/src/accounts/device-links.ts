import { runTransaction } from "../connection/run-transaction.ts";
import { createId } from "../create-id.ts";
import type { LinkRequest as LinkRequestRow, PrismaClient } from "../generated/client.ts";
import { type NewApiKeyRow, saveApiKey } from "./api-keys.ts";

/** A bot's request to link a chat user with an account, in the form for the user who approves it. */
export type LinkRequest = {
  id: string;
  botUserId: string;
  chatUser: string;
  displayName: string;
  platform: string;
  expiresAt: Date;
  createdAt: Date;
};

/** The state of a link request for the bot; unknown and claimed requests count as expired. */
export type LinkPoll =
  | { state: "pending"; intervalSeconds: number; expiresAt: Date }
  | { state: "slow_down"; intervalSeconds: number }
  | { state: "expired" | "denied" }
  | { state: "approved"; userId: string; link: LinkRequest };

/** The result of a claim; the database is changed only by `claimed`. */
export type ClaimResult = "claimed" | "expired" | "too_many_keys";

/** Link requests of bots (RFC 8628). Codes arrive as keyed HMACs; `at` is the time of the caller. */
export function createDeviceLinks(prisma: PrismaClient) {
  return {
    /**
     * Creates a link request; undefined when one of the codes is in use, so that the caller generates other
     * codes.
     */
    async create(options: {
      deviceCodeHash: string;
      userCodeHash: string;
      botUserId: string;
      chatUser: string;
      displayName: string;
      platform: string;
      expiresAt: Date;
      intervalSeconds: number;
      at: Date;
    }): Promise<LinkRequest | undefined> {
      const { deviceCodeHash, userCodeHash, botUserId, chatUser, displayName, platform } = options;
      const created = await prisma.$executeRaw`
        INSERT INTO "LinkRequest" ("id", "deviceCodeHash", "userCodeHash", "botUserId", "chatUser", "displayName",
          "platform", "expiresAt", "intervalSeconds", "createdAt")
        VALUES (${createId()}, ${deviceCodeHash}, ${userCodeHash}, ${botUserId}, ${chatUser}, ${displayName},
          ${platform}, ${options.expiresAt}, ${options.intervalSeconds}, ${options.at})
        ON CONFLICT DO NOTHING`;
      if (created === 0) return undefined;
      return toLinkRequest(await prisma.linkRequest.findUniqueOrThrow({ where: { deviceCodeHash } }));
    },

    /** The link request of a user code; it is open while it is pending and has not expired. */
    async findByUserCode(options: {
      userCodeHash: string;
      at: Date;
    }): Promise<{ link: LinkRequest; isOpen: boolean } | undefined> {
      const row = await prisma.linkRequest.findUnique({ where: { userCodeHash: options.userCodeHash } });
      if (row === null) return undefined;
      return { link: toLinkRequest(row), isOpen: row.state === "pending" && row.expiresAt > options.at };
    },

    /** Approves a request as `userId`; false when it is expired, denied or approved by another user. */
    async approve(options: { userCodeHash: string; userId: string; at: Date }): Promise<boolean> {
      const { userCodeHash, userId, at } = options;
      const { count } = await prisma.linkRequest.updateMany({
        where: {
          userCodeHash,
          expiresAt: { gt: at },
          OR: [{ state: "pending" }, { state: "approved", userId }],
        },
        data: { state: "approved", userId },
      });
      return count === 1;
    },

    /** Denies a request; false when it is expired or approved. */
    async deny(options: { userCodeHash: string; at: Date }): Promise<boolean> {
      const { userCodeHash, at } = options;
      const { count } = await prisma.linkRequest.updateMany({
        where: { userCodeHash, expiresAt: { gt: at }, state: { in: ["pending", "denied"] } },
        data: { state: "denied" },
      });
      return count === 1;
    },

    /**
     * The state of a request for the bot. A poll of a pending request before the interval is over gets
     * `slow_down`, and the interval grows by five seconds (RFC 8628, 3.5). An approved request can be
     * claimed.
     */
    async poll(options: { deviceCodeHash: string; botUserId: string; at: Date }): Promise<LinkPoll> {
      const { deviceCodeHash, botUserId, at } = options;
      return await runTransaction(prisma, async (tx): Promise<LinkPoll> => {
        await tx.$queryRaw`SELECT 1 FROM "LinkRequest" WHERE "deviceCodeHash" = ${deviceCodeHash} FOR UPDATE`;
        const row = await tx.linkRequest.findFirst({ where: { deviceCodeHash, botUserId } });
        if (row === null || row.expiresAt <= at || row.state === "claimed") return { state: "expired" };
        if (row.state === "denied") return { state: "denied" };
        const where = { id: row.id };
        if (row.state === "approved") {
          if (row.userId === null) return { state: "expired" };
          return { state: "approved", userId: row.userId, link: toLinkRequest(row) };
        }
        const isHasty = isWithin(row.lastPolledAt, row.intervalSeconds, at);
        const intervalSeconds = row.intervalSeconds + (isHasty ? hastySeconds : 0);
        await tx.linkRequest.update({ where, data: { lastPolledAt: at, intervalSeconds } });
        if (isHasty) return { state: "slow_down", intervalSeconds };
        return { state: "pending", intervalSeconds, expiresAt: row.expiresAt };
      });
    },

    /**
     * Claims an approved request once. One transaction stores the API key of the approving user and marks the
     * request as claimed, so a request can be claimed again only if its key was not stored.
     */
    async claim(options: {
      deviceCodeHash: string;
      botUserId: string;
      key: NewApiKeyRow;
      keyLimit: number;
      at: Date;
    }): Promise<ClaimResult> {
      const { deviceCodeHash, botUserId, key, keyLimit, at } = options;
      return await runTransaction(prisma, async (tx): Promise<ClaimResult> => {
        await tx.$queryRaw`SELECT 1 FROM "LinkRequest" WHERE "deviceCodeHash" = ${deviceCodeHash} FOR UPDATE`;
        const row = await tx.linkRequest.findFirst({
          where: { deviceCodeHash, botUserId, userId: key.userId },
        });
        if (row === null) return "expired";
        if (row.state !== "approved" || row.expiresAt <= at) return "expired";
        const saved = await saveApiKey(tx, key, keyLimit);
        if (saved !== "saved") return saved === "too_many" ? "too_many_keys" : "expired";
        await tx.linkRequest.update({ where: { id: row.id }, data: { state: "claimed" } });
        return "claimed";
      });
    },

    /** Deletes requests that expired more than an hour ago. */
    async collectGarbage(): Promise<void> {
      await prisma.$executeRaw`
        DELETE FROM "LinkRequest" WHERE "expiresAt" < now() - interval '1 hour'`;
    },
  };
}

const hastySeconds = 5;
// Polls can arrive closer together than they were sent, because their network delays differ.
const toleranceMs = 500;

function isWithin(lastPolledAt: Date | null, intervalSeconds: number, at: Date): boolean {
  if (lastPolledAt === null) return false;
  return at.getTime() - lastPolledAt.getTime() < intervalSeconds * 1000 - toleranceMs;
}

function toLinkRequest(row: LinkRequestRow): LinkRequest {
  const { id, botUserId, chatUser, displayName, platform, expiresAt, createdAt } = row;
  return { id, botUserId, chatUser, displayName, platform, expiresAt, createdAt };
}
