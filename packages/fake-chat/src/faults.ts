import { setTimeout } from "node:timers/promises";

/** An active fault. */
type Fault = { readonly hits: number; remove(): void };

type Effect<Response> =
  | { kind: "fail"; response: Response }
  | { kind: "delay"; ms: number }
  | { kind: "hang-up"; isAfter: boolean };

/**
 * Node's timers count from the start of a turn of the event loop, so on a busy machine the wait of a client ends up
 * to that much early.
 */
const earlyMs = 200;

/** Faults that a test injects: planned for the calls that match a target, and applied to each call. */
export function createFaults<Call, Target extends { times?: number }, Response>(
  isMet: (target: Target, call: Call) => boolean,
) {
  const planned: ((call: Call) => Effect<Response> | undefined)[] = [];

  const plan = (target: Target, meet: (call: Call) => Effect<Response> | undefined): Fault => {
    let hits = 0;
    let isOver = false;
    planned.push((call) => {
      if (isOver || hits >= (target.times ?? Number.POSITIVE_INFINITY) || !isMet(target, call))
        return undefined;
      const effect = meet(call);
      if (effect) hits += 1;
      return effect;
    });
    return {
      get hits() {
        return hits;
      },
      remove() {
        isOver = true;
      },
    };
  };

  return {
    fail: (target: Target, response: Response) => plan(target, () => ({ kind: "fail", response })),
    delay: (target: Target & { ms: number }) => plan(target, () => ({ kind: "delay", ms: target.ms })),
    hangUp: (target: Target & { isAfter?: boolean }) =>
      plan(target, () => ({ kind: "hang-up", isAfter: target.isAfter ?? false })),

    /** 429 from the first call of a key on, until the time is over; `onEarly` reports an earlier repetition. */
    rateLimit(
      target: Target & { retryAfterSeconds: number },
      parts: {
        keyOf: (call: Call) => string;
        respond: (leftMs: number) => Response;
        /** Calls that were in progress when the first 429 was sent are not early. */
        underwayMs: number;
        onEarly: (call: Call, problem: string) => void;
      },
    ): Fault {
      const ends = new Map<string, { at: number; from: number }>();
      return plan(target, (call) => {
        const key = parts.keyOf(call);
        const time = Date.now();
        const running = ends.get(key);
        if (running && time >= running.at - earlyMs) return undefined;
        if (running && time - running.from > parts.underwayMs)
          parts.onEarly(call, `repeated ${running.at - time} ms before retry_after was over`);
        const at = running?.at ?? time + target.retryAfterSeconds * 1000;
        if (!running) ends.set(key, { at, from: time });
        return { kind: "fail", response: parts.respond(at - time) };
      });
    },

    /** The response to a call with its faults; `isCut`: the connection ends without it. */
    async apply(call: Call, respond: () => Promise<Response>) {
      const effects = planned.flatMap((meet) => meet(call) ?? []);
      for (const effect of effects) if (effect.kind === "delay") await setTimeout(effect.ms);
      const hangUp = effects.find((effect) => effect.kind === "hang-up");
      if (hangUp && !hangUp.isAfter) return { response: undefined, isCut: true };
      const failed = effects.find((effect) => effect.kind === "fail");
      return { response: failed ? failed.response : await respond(), isCut: hangUp !== undefined };
    },
  };
}
