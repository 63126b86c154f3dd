import { describeCall } from "../rules/check-call.ts";
import type { FakeState } from "../state/fake-state.ts";
import type { Fault, Faults, FaultTarget, Violation } from "../types.ts";
import type { Call } from "./call.ts";

/** The effect of a fault on a request. */
export type Effect =
  | { kind: "rate-limit"; retryAfterMs: number; isGlobal: boolean; scope: "user" | "shared" | "global" }
  | {
      kind: "fail";
      status: number | undefined;
      code: number | undefined;
      message: string | undefined;
      errors: object | undefined;
    }
  | { kind: "delay"; ms: number }
  | { kind: "hang-up"; isAfter: boolean };

/** Requests that were sent before the first 429 arrived are not violations. */
const underwayMs = 100;
/**
 * Node's timers count from the start of a turn of the event loop, so on a busy machine the wait of a client ends up
 * to that much early.
 */
const earlyMs = 200;

type Planned = {
  target: FaultTarget;
  hits: number;
  isOver: boolean;
  meet: (call: Call) => Effect | undefined;
};

/** The active faults and their effects on requests. */
export function createFaults(state: FakeState) {
  const planned: Planned[] = [];

  const plan = (target: FaultTarget, meet: (call: Call) => Effect | undefined): Fault => {
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
    rateLimit(options) {
      const isGlobal = options.isGlobal ?? false;
      const ends = new Map<string, { at: number; from: number }>();
      return plan(options, (call) => {
        const key = isGlobal ? "all" : majorOf(call);
        const now = Date.now();
        const running = ends.get(key);
        if (running && now >= running.at - earlyMs) return undefined;
        if (running && now - running.from > underwayMs)
          state.violations.push(tooEarly(call, running.at - now));
        const at = running?.at ?? now + options.retryAfterSeconds * 1000;
        if (!running) ends.set(key, { at, from: now });
        const scope = options.scope ?? (isGlobal ? "global" : "user");
        return { kind: "rate-limit", retryAfterMs: at - now, isGlobal, scope };
      });
    },
    fail: ({ status, code, message, errors, ...target }) =>
      plan(target, () => ({ kind: "fail", status, code, message, errors })),
    delay: ({ ms, ...target }) => plan(target, () => ({ kind: "delay", ms })),
    hangUp: ({ isAfter, ...target }) => plan(target, () => ({ kind: "hang-up", isAfter: isAfter ?? false })),
    expireAttachments() {
      state.signaturesFrom = Date.now() + 1;
    },
  };

  return {
    faults,
    /** The effects of the faults on this request, in the order of their creation. */
    meet(call: Call): readonly Effect[] {
      return planned.flatMap((one) => {
        const isUsedUp = one.target.times !== undefined && one.hits >= one.target.times;
        if (one.isOver || isUsedUp || !isMet(one.target, call)) return [];
        const effect = one.meet(call);
        if (effect) one.hits += 1;
        return effect ?? [];
      });
    },
  };
}

/** See `createFaults`. */
export type FaultPlan = ReturnType<typeof createFaults>;

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

function isMet(target: FaultTarget, call: Call): boolean {
  if (target.route === undefined) return true;
  if (typeof target.route === "string") return target.route === `${call.method} ${call.route}`;
  return target.route.test(`${call.method} ${call.path}`);
}

function tooEarly(call: Call, leftMs: number): Violation {
  return {
    rule: "rate-limit",
    where: describeCall(call),
    problem: `requested again ${leftMs} ms before retry_after was over`,
  };
}
