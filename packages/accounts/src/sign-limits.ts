import { createHmac } from "node:crypto";
import type { Database } from "@koma/database";
import { listLimitedNetworks } from "./limited-networks.ts";
import { deriveKey } from "./secret.ts";

/** Rate limits for sign-up, sign-in and mail; the database counts for all instances. */
export type SignLimits = ReturnType<typeof createSignLimits>;

/** At most `limit` attempts in `windowSeconds`. */
type Limit = { limit: number; windowSeconds: number };

/** Whether an attempt exceeds its limit, and when the next one is permitted. */
export type RateLimitState = { isRefused: boolean; retryAfterSeconds: number };

/**
 * The client of a request: its network, and the id of its device where that has signed in to the account
 * before.
 */
export type SignClient = { network: string; device: string | undefined };

/** A counted attempt to sign in: its limits, and whether the account has too many failures. */
export type SignInAttempt = RateLimitState & { isUnderAttack: boolean; counted: readonly string[] };

export function createSignLimits(options: {
  database: Database;
  secret: string;
  now: () => Date;
  signUpsPerHour: number;
}) {
  const { database, now } = options;
  const key = deriveKey(options.secret, "attempt");
  const hash = (who: string) => createHmac("sha256", key).update(who).digest("base64url");

  /** Counts one attempt of a caller. */
  async function take(who: string, limit: Limit): Promise<RateLimitState> {
    const at = now();
    const { isRefused, windowEndsAt } = await database.rateLimits.take({ key: hash(who), at, ...limit });
    return {
      isRefused,
      retryAfterSeconds: Math.max(1, Math.ceil((windowEndsAt.getTime() - at.getTime()) / 1000)),
    };
  }

  /**
   * Counts one attempt of a client network, and for its wider networks unless the limit of a smaller one is
   * reached.
   */
  async function takeNetwork(
    describe: (network: string) => string,
    network: string,
    { limit, windowSeconds }: Limit,
  ): Promise<RateLimitState & { counted: string[] }> {
    const counted: string[] = [];
    let state: RateLimitState = { isRefused: false, retryAfterSeconds: 0 };
    for (const wider of listLimitedNetworks(network)) {
      const who = describe(wider.network);
      state = await take(who, { limit: limit * wider.times, windowSeconds });
      counted.push(who);
      if (state.isRefused) break;
    }
    return { ...state, counted };
  }

  /** Whether a user has signed in to the account from the network. */
  const isKnownNetwork = (email: string, network: string) =>
    database.rateLimits.isMarked({ key: hash(`known:${email}:${network}`), at: now() });

  return {
    /** A new account from a network. */
    signUp: (network: string) =>
      takeNetwork((one) => `sign-up:${one}`, network, {
        limit: options.signUpsPerHour,
        windowSeconds: 3600,
      }),

    /**
     * Counts an attempt to sign in before the password is checked, so that simultaneous attempts count;
     * `release` removes one that did not fail. After many failures on the account, a network that never
     * signed in to it gets one attempt per minute. A known device has only a limit of its own, which others
     * cannot use up.
     */
    async signIn(email: string, { network, device }: SignClient): Promise<SignInAttempt> {
      const account = `sign-in:${email}`;
      const nearLimit = { limit: 20, windowSeconds: 300 };
      const deviceKey = `${account}:device:${device}`;
      const near =
        device === undefined
          ? await takeNetwork((one) => `${account}:${one}`, network, nearLimit)
          : { ...(await take(deviceKey, nearLimit)), counted: [deviceKey] };
      if (near.isRefused) return { ...near, isUnderAttack: false };
      const { isRefused: isUnderAttack } = await take(account, { limit: 100, windowSeconds: 3600 });
      if (!isUnderAttack || device !== undefined || (await isKnownNetwork(email, network))) {
        return { ...near, isUnderAttack, counted: [...near.counted, account] };
      }
      const slow = await takeNetwork((one) => `sign-in-slow:${email}:${one}`, network, {
        limit: 1,
        windowSeconds: 60,
      });
      return { ...slow, isUnderAttack, counted: [...near.counted, account, ...slow.counted] };
    },

    /**
     * Counts an attempt with a code before it is checked. A code has six digits, so all unknown devices share
     * one limit; known devices and networks have limits that others cannot use up.
     */
    async secondFactor(email: string, { network, device }: SignClient): Promise<SignInAttempt> {
      const account = `second-factor:${email}`;
      const isKnown = device !== undefined || (await isKnownNetwork(email, network));
      const who = isKnown ? `${account}:${device ?? network}` : account;
      return {
        ...(await take(who, { limit: 10, windowSeconds: 3600 })),
        isUnderAttack: false,
        counted: [who],
      };
    },

    /** Remembers for five minutes that a session has sent a right code of the second factor. */
    markCode: (sessionId: string) =>
      database.rateLimits.mark({
        key: hash(`code:${sessionId}`),
        until: new Date(now().getTime() + codeProofMs),
      }),

    /** Whether a session has sent a right code within the last five minutes. */
    hasSentCode: (sessionId: string) =>
      database.rateLimits.isMarked({ key: hash(`code:${sessionId}`), at: now() }),

    /** A TOTP code of a user, which is accepted once; it is valid for at most 90 seconds. */
    totpCode: (userId: string, code: string) =>
      take(`totp:${userId}:${code}`, { limit: 1, windowSeconds: 120 }),

    /** Removes an attempt that did not fail. */
    async release({ counted }: Pick<SignInAttempt, "counted">): Promise<void> {
      for (const who of counted) await database.rateLimits.release({ key: hash(who), at: now() });
    },

    /** Remembers that a user has signed in to the account from the network. */
    async rememberNetwork(email: string, network: string): Promise<void> {
      const until = new Date(now().getTime() + knownNetworkMs);
      await database.rateLimits.mark({ key: hash(`known:${email}:${network}`), until });
    },

    /** A mail about failed sign-ins to an address. */
    failureMail: (email: string) => take(`failure-mail:${email}`, { limit: 1, windowSeconds: 24 * 3600 }),

    /**
     * A mail to an address with which someone signs up. Its limit is separate from that of requested mails, so
     * that others cannot keep a new user from a link.
     */
    signUpMail: (email: string) => take(`sign-up-mail:${email}`, mailLimit),

    /** A mail about a change of an account. */
    changeMail: (change: string, email: string) => take(`change-mail:${change}:${email}`, mailLimit),

    /** A mail about a published API key to its owner. */
    leakMail: (email: string) => take(`leak-mail:${email}`, { limit: 10, windowSeconds: 24 * 3600 }),

    /** A mail of one kind to an address; known devices and networks have limits that others cannot use up. */
    async mail(kind: string, email: string, { network, device }: SignClient): Promise<RateLimitState> {
      const who = `mail:${kind}:${email}`;
      if (device !== undefined) return await take(`${who}:device:${device}`, mailLimit);
      return await take((await isKnownNetwork(email, network)) ? `${who}:${network}` : who, mailLimit);
    },

    /** better-auth's storage for its limits; `who` is the network and the path, separated by "|". */
    storage: {
      async consume(who: string, rule: { window: number; max: number }) {
        const [network = "", ...path] = who.split("|");
        const { isRefused, retryAfterSeconds } = await takeNetwork(
          (one) => `request:${[one, ...path].join("|")}`,
          network,
          { limit: rule.max, windowSeconds: rule.window },
        );
        return { allowed: !isRefused, retryAfter: isRefused ? retryAfterSeconds : null };
      },
    },
  };
}

const codeProofMs = 5 * 60_000;

/** The mails of one kind to an address. */
const mailLimit: Limit = { limit: 5, windowSeconds: 3600 };

/** 180 days. */
const knownNetworkMs = 180 * 24 * 3600 * 1000;
