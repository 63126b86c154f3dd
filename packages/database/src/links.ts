import { type NewApiKeyRow, saveApiKey } from "./api-keys.ts";
import { createId } from "./create-id.ts";
import type { LinkRequest as LinkRequestRow, PrismaClient } from "./generated/client.ts";
import { runTransaction } from "./run-transaction.ts";

/** A bot's question whether a chat user is one of ours, as the person who answers sees it. */
export type LinkRequest = {
  id: string;
  botUserId: string;
  chatUser: string;
  displayName: string;
  platform: string;
  expiresAt: Date;
  createdAt: Date;
};

/** What a bot learns; what is unknown or was claimed counts as expired. */
export type LinkPoll =
  | { state: "pending"; intervalSeconds: number; expiresAt: Date }
  | { state: "slow_down"; intervalSeconds: number }
  | { state: "expired" | "denied" }
  | { state: "approved"; userId: string; link: LinkRequest };

/** What became of a claim; but for `claimed`, nothing was changed. */
export type ClaimResult = "claimed" | "expired" | "too_many_keys";

/** The questions of bots. Codes arrive as keyed HMACs, `at` is the asker's clock. */
export type LinkStore = ReturnType<typeof createLinks>;

export function createLinks(prisma: PrismaClient) {
  return {
    /** Asks; undefined when one of the codes is in use: invent others. */
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
      await prisma.$executeRaw`
        INSERT INTO "LinkRequest" ("id", "deviceCodeHash", "userCodeHash", "botUserId", "chatUser", "displayName",
          "platform", "expiresAt", "intervalSeconds", "createdAt")
        VALUES (${createId()}, ${deviceCodeHash}, ${userCodeHash}, ${botUserId}, ${chatUser}, ${displayName},
          ${platform}, ${options.expiresAt}, ${options.intervalSeconds}, ${options.at})
        ON CONFLICT DO NOTHING`;
      // Ours even where an earlier attempt of this call wrote it.
      const row = await prisma.linkRequest.findUnique({ where: { deviceCodeHash } });
      return row?.userCodeHash === userCodeHash ? toLinkRequest(row) : undefined;
    },

    /** The question behind a user code; open while nobody has answered it and its time is not over. */
    async findByUserCode(options: {
      userCodeHash: string;
      at: Date;
    }): Promise<{ link: LinkRequest; isOpen: boolean } | undefined> {
      const row = await prisma.linkRequest.findUnique({ where: { userCodeHash: options.userCodeHash } });
      if (row === null) return undefined;
      return { link: toLinkRequest(row), isOpen: row.state === "pending" && row.expiresAt > options.at };
    },

    /** Says yes as `userId`; false when it has expired or was answered. Twice by the same user is once. */
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

    /** Says no; false when it has expired or was approved. */
    async deny(options: { userCodeHash: string; at: Date }): Promise<boolean> {
      const { userCodeHash, at } = options;
      const { count } = await prisma.linkRequest.updateMany({
        where: { userCodeHash, expiresAt: { gt: at }, state: { in: ["pending", "denied"] } },
        data: { state: "denied" },
      });
      return count === 1;
    },

    /**
     * A bot asks how things stand. Sooner than the interval while pending: `slow_down`, and the interval grows by five
     * seconds (RFC 8628, 3.5). What is approved is there to be claimed.
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
     * Gives an approval out, once: in one transaction the key of the person who approved is kept and the link is used up, so
     * that a link without its key can be claimed again until it expires, and none has two.
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
        // Ours, where the answer of an earlier attempt of this call was lost.
        if (row.state === "claimed" && (await tx.apikey.findUnique({ where: { id: key.id } })) !== null)
          return "claimed";
        if (row.state !== "approved" || row.expiresAt <= at) return "expired";
        const saved = await saveApiKey(tx, key, keyLimit);
        if (saved !== "saved") return saved === "too_many" ? "too_many_keys" : "expired";
        await tx.linkRequest.update({ where: { id: row.id }, data: { state: "claimed" } });
        return "claimed";
      });
    },

    /** Deletes questions that expired over an hour ago. */
    async collectGarbage(): Promise<void> {
      await prisma.$executeRaw`
        DELETE FROM "LinkRequest" WHERE "expiresAt" < now() - interval '1 hour'`;
    },
  };
}

const hastySeconds = 5;
// What a network adds to one way and not to the next.
const toleranceMs = 500;

function isWithin(lastPolledAt: Date | null, intervalSeconds: number, at: Date): boolean {
  if (lastPolledAt === null) return false;
  return at.getTime() - lastPolledAt.getTime() < intervalSeconds * 1000 - toleranceMs;
}

function toLinkRequest(row: LinkRequestRow): LinkRequest {
  const { id, botUserId, chatUser, displayName, platform, expiresAt, createdAt } = row;
  return { id, botUserId, chatUser, displayName, platform, expiresAt, createdAt };
}
