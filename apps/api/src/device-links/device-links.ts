import { type Accounts, type CallerHashes, TooManyKeysError } from "@koma/accounts";
import {
  apiKeyLimit,
  type ChatPlatform,
  type LinkedKey,
  LinkRequest,
  type NewLink,
  type PendingLink,
  stripBidiControls,
} from "@koma/contract";
import type { Database, LinkRequest as StoredLink } from "@koma/database";
import { ApiError } from "../api-error.ts";
import type { LinkCodes } from "./link-codes.ts";

const lifeSeconds = 600;
const intervalSeconds = 5;
/**
 * The codes that a bot can request for one chat user, and that a user can try, within the lifetime of a code.
 */
const askLimit = 5;
const attemptLimit = 20;

export type DeviceLinks = ReturnType<typeof createDeviceLinks>;

/**
 * Device linking as in RFC 8628: a bot requests a code, a user approves it in a session, the bot receives a
 * key once. Codes are stored hashed; requests and attempts are limited.
 */
export function createDeviceLinks(options: {
  database: Database;
  accounts: Pick<Accounts, "keys" | "reportChange">;
  codes: LinkCodes;
  hashes: CallerHashes;
  getBaseUrl: () => string;
  now: () => Date;
}) {
  const { database, codes, now } = options;
  const { keys } = options.accounts;

  return {
    /** Creates a link that a bot requests for a chat user. */
    async create(params: {
      botUserId: string;
      chatUser: string;
      displayName: string;
      platform: ChatPlatform;
    }): Promise<NewLink> {
      const displayName = stripBidiControls(params.displayName);
      const isBlocked =
        (await database.chatBlocks.find([options.hashes.chat(params.chatUser)])) !== undefined;
      if (isBlocked) throw new ApiError("forbidden", "This chat user is blocked.");
      await limit("asking", `${params.botUserId} ${params.chatUser}`, askLimit);
      const at = now();
      const expiresAt = new Date(at.getTime() + lifeSeconds * 1000);
      for (;;) {
        const { deviceCode, userCode } = codes.generate();
        const stored = await database.deviceLinks.create({
          ...params,
          displayName,
          expiresAt,
          intervalSeconds,
          at,
          deviceCodeHash: codes.hash("device", deviceCode),
          userCodeHash: codes.hash("user", userCode),
        });
        if (stored === undefined) continue;
        const verificationUrl = `${options.getBaseUrl()}/device?code=${userCode}`;
        return { deviceCode, userCode, verificationUrl, expiresAt: expiresAt.toISOString(), intervalSeconds };
      }
    },

    /**
     * Returns the key to the polling bot, once. Throws ApiError `slow_down`, `link_denied`, `link_expired`,
     * and TooManyKeysError.
     */
    async claim(params: {
      botUserId: string;
      deviceCode: string;
    }): Promise<{ status: 200; body: LinkedKey } | { status: 202; body: PendingLink }> {
      const { botUserId, deviceCode } = params;
      const deviceCodeHash = codes.hash("device", deviceCode);
      const poll = await database.deviceLinks.poll({ deviceCodeHash, botUserId, at: now() });
      switch (poll.state) {
        case "pending": {
          const expiresAt = poll.expiresAt.toISOString();
          return { status: 202, body: { expiresAt, intervalSeconds: poll.intervalSeconds } };
        }
        case "slow_down":
          throw new ApiError("slow_down", `Poll every ${poll.intervalSeconds} seconds.`, {
            retryAfterSeconds: poll.intervalSeconds,
          });
        case "denied":
          throw new ApiError("link_denied", "The user denied the request.");
        case "expired":
          throw expired();
        case "approved":
          return { status: 200, body: await handOver({ deviceCodeHash, botUserId, ...poll }) };
      }
    },

    /** The bot and the chat user that request the link. Throws ApiError `not_found`, `link_expired`. */
    async show(params: { userId: string; userCode: string }): Promise<LinkRequest> {
      const { link, isOpen } = await findLink(params);
      if (!isOpen) throw expired();
      const bot = await database.users.find(link.botUserId);
      return LinkRequest.parse({
        userCode: params.userCode,
        platform: link.platform,
        chatUser: link.chatUser,
        displayName: link.displayName,
        botName: bot?.name ?? "",
        keyTitle: describeKeyTitle(link.platform, link.displayName),
        expiresAt: link.expiresAt.toISOString(),
      });
    },

    /**
     * Approves the link: the bot receives a key of this user. Throws ApiError `not_found`, `link_expired`,
     * and TooManyKeysError.
     */
    async approve(params: { userId: string; userCode: string }): Promise<void> {
      await findLink(params);
      const { userId } = params;
      const { total } = await keys.list({ userId, page: 1, pageSize: 1 });
      if (total >= apiKeyLimit) throw new TooManyKeysError();
      const userCodeHash = codes.hash("user", params.userCode);
      if (!(await database.deviceLinks.approve({ userCodeHash, userId, at: now() }))) throw expired();
    },

    /** Denies the link. Throws ApiError `not_found`, `link_expired`. */
    async deny(params: { userId: string; userCode: string }): Promise<void> {
      await findLink(params);
      const userCodeHash = codes.hash("user", params.userCode);
      if (!(await database.deviceLinks.deny({ userCodeHash, at: now() }))) throw expired();
    },
  };

  /** One transaction stores the key and consumes the link. A bot that receives no key can retry. */
  async function handOver(approved: {
    deviceCodeHash: string;
    botUserId: string;
    userId: string;
    link: StoredLink;
  }): Promise<LinkedKey> {
    const { deviceCodeHash, botUserId, userId, link } = approved;
    const user = await database.users.find(userId);
    if (user === undefined || user.isDisabled) throw expired();
    const title = describeKeyTitle(link.platform, link.displayName);
    const { created, row } = await keys.generate({ userId, title });
    const params = { deviceCodeHash, botUserId, key: row, keyLimit: apiKeyLimit, at: now() };
    const response = await database.deviceLinks.claim(params);
    if (response === "too_many_keys") throw new TooManyKeysError();
    if (response === "expired") throw expired();
    options.accounts.reportChange(userId, "chat");
    return { key: created.key, id: created.id, title: created.title };
  }

  /** Every attempt counts, including correct codes. */
  async function findLink({ userId, userCode }: { userId: string; userCode: string }) {
    await limit("guessing", userId, attemptLimit);
    const userCodeHash = codes.hash("user", userCode);
    const found = await database.deviceLinks.findByUserCode({ userCodeHash, at: now() });
    if (found === undefined) throw new ApiError("not_found", "No bot requested this code.");
    return found;
  }

  async function limit(what: "asking" | "guessing", who: string, most: number): Promise<void> {
    const at = now();
    const key = codes.hash(what, who);
    const params = { key, limit: most, windowSeconds: lifeSeconds, at };
    const { isRefused, windowEndsAt } = await database.rateLimits.take(params);
    if (!isRefused) return;
    throw new ApiError("too_many_requests", "Too many codes were requested or tried. Wait a few minutes.", {
      retryAfterSeconds: (windowEndsAt.getTime() - at.getTime()) / 1000,
    });
  }
}

function expired(): ApiError {
  return new ApiError(
    "link_expired",
    "This code is no longer valid: it was approved, denied, used, or is older than 10 minutes.",
  );
}

const platformNames: Record<ChatPlatform, string> = { discord: "Discord", telegram: "Telegram" };
const titleLength = 64;

/** The title of a linked account's key: "Discord: Spike", truncated to the maximum length. */
function describeKeyTitle(platform: string, displayName: string): string {
  const name = platform in platformNames ? platformNames[platform as ChatPlatform] : platform;
  return Array.from(`${name}: ${displayName}`).slice(0, titleLength).join("").trim();
}
