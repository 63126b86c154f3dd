import type { FakeState } from "../state/fake-state.ts";
import { asNumber } from "../state/json.ts";
import type { Fault, Faults, FaultTarget } from "../types.ts";
import type { Call } from "./call.ts";
import { ApiProblem, type ProblemParameters } from "./problems.ts";

/** The effect of a fault on a call. */
export type Effect =
  | {
      kind: "fail";
      status: number;
      description: string | undefined;
      parameters: ProblemParameters | undefined;
      body?: object | undefined;
    }
  | { kind: "delay"; ms: number }
  | { kind: "hang-up"; isAfter: boolean };

/** The effect of a fault on a download. */
export type DownloadEffect = { status: number; isDropped: boolean };

type Planned = {
  target: FaultTarget;
  hits: number;
  isOver: boolean;
  meet: (call: Call) => Effect | undefined;
};

/** Calls that were in progress when the first 429 was sent are not violations. */
const underwayMs = 150;
/**
 * Node's timers count from the start of a turn of the event loop, so on a busy machine the wait of a client ends up
 * to that much early.
 */
const earlyMs = 200;

/** The active faults and their effects on calls. */
export function createFaults(state: FakeState) {
  const planned: Planned[] = [];
  const downloads: { left: number; hits: number; effect: DownloadEffect }[] = [];

  const plan = (target: FaultTarget, meet: Planned["meet"]): Fault => {
    const one: Planned = { target, hits: 0, isOver: false, meet };
    planned.push(one);
    return {
      get hits() {
        return one.hits;
      },
      remove() {
        one.isOver = true;
      },
    };
  };

  const faults: Faults = {
    rateLimit({ retryAfterSeconds, ...target }) {
      const ends = new Map<string, { at: number; from: number }>();
      return plan(target, (call) => {
        const key = String(call.parameters.chat_id ?? "");
        const time = Date.now();
        const running = ends.get(key);
        if (running && time >= running.at - earlyMs) return undefined;
        if (running && time - running.from > underwayMs)
          call.reject.blame("rate-limit", `called again ${running.at - time} ms before retry_after was over`);
        const at = running?.at ?? time + retryAfterSeconds * 1000;
        if (!running) ends.set(key, { at, from: time });
        return tooMany(Math.ceil((at - time) / 1000));
      });
    },
    fail: ({ status, description, parameters, body, ...target }) =>
      plan(target, () => ({ kind: "fail", status, description, parameters, body })),
    delay: ({ ms, ...target }) => plan(target, () => ({ kind: "delay", ms })),
    hangUp: ({ isAfter, ...target }) => plan(target, () => ({ kind: "hang-up", isAfter: isAfter ?? false })),
    conflict: (times = 1) =>
      plan({ method: "getUpdates", times }, () => ({
        kind: "fail",
        status: 409,
        description:
          "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
        parameters: undefined,
      })),
    failDownloads({ status = 404, isDropped = false, times = Number.POSITIVE_INFINITY } = {}) {
      const one = { left: times, hits: 0, effect: { status, isDropped } };
      downloads.push(one);
      return {
        get hits() {
          return one.hits;
        },
        remove() {
          one.left = 0;
        },
      };
    },
    expireFiles() {
      for (const file of state.files.values()) file.expiresAt = 0;
    },
  };

  return {
    faults,
    /** The effects of the faults on this call, in the order of their creation. */
    meet(call: Call): readonly Effect[] {
      return planned.flatMap((one) => {
        const isUsedUp = one.target.times !== undefined && one.hits >= one.target.times;
        if (one.isOver || isUsedUp || !isMet(one.target, call)) return [];
        const effect = one.meet(call);
        if (effect) one.hits += 1;
        return effect ?? [];
      });
    },
    meetDownload(): DownloadEffect | undefined {
      const one = downloads.find(({ left }) => left > 0);
      if (!one) return undefined;
      one.left -= 1;
      one.hits += 1;
      return one.effect;
    },
  };
}

/** See `createFaults`. */
export type FaultPlan = ReturnType<typeof createFaults>;

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
      if (seconds > 0) {
        const { status, description, parameters } = tooMany(seconds);
        throw new ApiProblem(status, description, parameters);
      }
      sent.push({ at: time, chatId });
    },
  };
}

function tooMany(seconds: number) {
  return {
    kind: "fail" as const,
    status: 429,
    description: `Too Many Requests: retry after ${seconds}`,
    parameters: { retry_after: Math.max(1, seconds) },
  };
}

function isMet({ method, chat }: FaultTarget, call: Call): boolean {
  if (chat && call.parameters.chat_id !== chat.id) return false;
  if (method === undefined) return call.method !== "getUpdates";
  if (method instanceof RegExp) return method.test(call.method);
  return [method].flat().includes(call.method);
}
