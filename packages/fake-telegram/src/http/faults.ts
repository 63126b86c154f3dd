import { asNumber, createFaults, type Json } from "@koma/fake-chat";
import type { Chat } from "../state/chat.ts";
import type { FakeState } from "../state/fake-state.ts";
import { ApiProblem, type Call, describeProblem, type Response } from "./call.ts";

/** The calls that a fault affects. */
type FaultTarget = {
  /** `sendMessage`, several, or a pattern. Default: all but getUpdates. */
  method?: string | readonly string[] | RegExp;
  chat?: Chat;
  /** The number of affected calls (default: all until removed). */
  times?: number;
};

/** The effect of a fault on a download. */
type DownloadEffect = { status: number; isDropped: boolean };

type Failure = { status: number; description?: string; body?: Json };

/** The active faults and their effects on calls and downloads. */
export function planFaults() {
  const { apply, fail, ...plans } = createFaults<Call, FaultTarget, Response>(isMet);
  const downloads = createFaults<undefined, { times?: number }, DownloadEffect | undefined>(() => true);

  const faults = {
    ...plans,
    /** 429 until `retryAfterSeconds` (at least 1) have passed; an earlier repetition is a violation. */
    rateLimit: (target: FaultTarget & { retryAfterSeconds: number }) =>
      plans.rateLimit(target, {
        keyOf: (call) => String(call.parameters.chat_id ?? ""),
        respond: (leftMs) => describeProblem(tooMany(Math.ceil(leftMs / 1000))),
        underwayMs: 150,
        onEarly: (call, problem) => call.reject.blame("rate-limit", problem),
      }),
    /** An error: a status alone, as Telegram's proxies send it (502: no JSON), with Telegram's description, or a body. */
    fail: (target: FaultTarget & Failure) => fail(target, spoil(target)),
    /** `getUpdates` returns 409: another instance of the bot runs. */
    conflict: (times = 1) => fail({ method: "getUpdates", times }, describeProblem(conflict)),
    /** Downloads fail with this status, or are interrupted. */
    failDownloads: ({ status = 404, isDropped = false, times = Number.POSITIVE_INFINITY } = {}) =>
      downloads.fail({ times }, { status, isDropped }),
  };

  return {
    faults,
    apply,
    /** The effect of a fault on a download, if one applies. */
    meetDownload: async () => (await downloads.apply(undefined, async () => undefined)).response,
  };
}

/** See `planFaults`. */
export type FaultPlan = ReturnType<typeof planFaults>;

/** Two callers of getUpdates at once. */
export const conflict = new ApiProblem(
  409,
  "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
);

/** Telegram's own limits: 30 messages per second, 20 per minute in one group. */
export function createLimits(state: FakeState) {
  const sent: { at: number; chatId: number }[] = [];
  return {
    count(call: Call) {
      if (!state.settings.hasRateLimits || !/^(send(?!ChatAction)|copy|forward|edit)/.test(call.method))
        return;
      const time = Date.now();
      const chatId = asNumber(call.parameters.chat_id) ?? 0;
      const recent = sent.filter(({ at }) => at > time - 60_000);
      const inSecond = recent.filter(({ at }) => at > time - 1000);
      const inGroup = chatId < 0 ? recent.filter((one) => one.chatId === chatId) : [];
      const waits = [
        inSecond.length >= 30 ? 1 : 0,
        inGroup.length >= 20 ? Math.ceil(((inGroup.at(-20)?.at ?? time) + 60_000 - time) / 1000) : 0,
      ];
      const seconds = Math.max(...waits);
      if (seconds > 0) throw tooMany(seconds);
      sent.push({ at: time, chatId });
    },
  };
}

function tooMany(seconds: number): ApiProblem {
  return new ApiProblem(429, `Too Many Requests: retry after ${seconds}`, {
    retry_after: Math.max(1, seconds),
  });
}

function spoil({ status, description, body }: Failure): Response {
  if (body !== undefined) return { status, body };
  const isProxy = description === undefined && status === 502;
  if (isProxy) return { status, body: undefined };
  return describeProblem(new ApiProblem(status, description ?? "Internal Server Error"));
}

function isMet({ method, chat }: FaultTarget, call: Call): boolean {
  if (chat && call.parameters.chat_id !== chat.id) return false;
  if (method === undefined) return call.method !== "getUpdates";
  if (method instanceof RegExp) return method.test(call.method);
  return [method].flat().includes(call.method);
}
