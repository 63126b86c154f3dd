import { createFaults } from "@koma/fake-chat";
import type { FakeState } from "../state/fake-state.ts";
import { type Call, describeCall, type Response } from "./call.ts";
import { DiscordProblem } from "./problems.ts";

/** The requests that a fault affects. */
type FaultTarget = {
  /**
   * `METHOD /template` of Discord's description, such as `POST /channels/{channel_id}/messages`, or a pattern
   * over `METHOD /path`. Default: all.
   */
  route?: string | RegExp;
  /** The number of affected requests (default: all until removed). */
  times?: number;
};

type Failure = { status?: number; code?: number; errors?: object };

/** The active faults and their effects on requests. */
export function planFaults(state: FakeState) {
  const { apply, fail, hangUp, rateLimit } = createFaults<Call, FaultTarget, Response>(isMet);

  const faults = {
    hangUp,
    /** 429 until `retryAfterSeconds` have passed; an earlier repetition is a violation. */
    rateLimit: (target: FaultTarget & { retryAfterSeconds: number }) =>
      rateLimit(target, {
        keyOf: majorOf,
        respond: (leftMs) => tooMany(leftMs, "user"),
        underwayMs: 100,
        onEarly: (call, problem) =>
          state.violations.push({ rule: "rate-limit", where: describeCall(call), problem }),
      }),
    /** An error: a status alone (500, 502, 503) or with one of Discord's codes (10008, 50007 …). */
    fail({ status, code, errors, ...target }: FaultTarget & Failure) {
      const problem = new DiscordProblem(code ?? -1, {
        ...(status !== undefined ? { status } : code === undefined ? { status: 500 } : {}),
      });
      const body = { message: problem.message, code: code ?? 0, ...(errors && { errors }) };
      return fail(target, { status: problem.status, body });
    },
  };
  return { faults, apply };
}

/** See `planFaults`. */
export type FaultPlan = ReturnType<typeof planFaults>;

/** The response to a request above a limit. */
export function tooMany(leftMs: number, scope: "user" | "global"): Response {
  const retry_after = Math.max(1, leftMs) / 1000;
  const isGlobal = scope === "global";
  return {
    status: 429,
    headers: {
      "retry-after": String(Math.ceil(retry_after)),
      "x-ratelimit-scope": scope,
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset-after": retry_after.toFixed(3),
      ...(isGlobal && { "x-ratelimit-global": "true" }),
    },
    body: { message: "You are being rate limited.", code: 0, retry_after, global: isGlobal },
  };
}

/** The key of a rate limit: the route with its channel, guild, or webhook and token. */
export function majorOf(call: Call): string {
  const { channel_id, guild_id, webhook_id, webhook_token, interaction_token } = call.parameters;
  return [
    call.method,
    call.route,
    channel_id ?? guild_id ?? webhook_id,
    webhook_token ?? interaction_token,
  ].join(" ");
}

function isMet({ route }: FaultTarget, call: Call): boolean {
  if (route === undefined) return true;
  if (typeof route === "string") return route === `${call.method} ${call.route}`;
  return route.test(`${call.method} ${call.path}`);
}
