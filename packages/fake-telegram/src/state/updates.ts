import { EventEmitter } from "node:events";
import type { Json } from "@koma/fake-chat";
import type { Update } from "grammy/types";
import type { FakeState } from "./fake-state.ts";

/** The updates for the bot: requested types, pending updates. */
export function createUpdates(state: FakeState, check: (update: Json) => void) {
  const all: Update[] = [];
  const again: Update[] = [];
  const arrivals = new EventEmitter<{ update: [] }>();
  let pending: Update[] = [];
  let allowed: readonly string[] = [];
  let lastId = 100_000_000 + Math.floor(Math.random() * 1_000_000);

  const notify = () => {
    state.announce();
    arrivals.emit("update");
  };

  const pushRaw = (fields: object): number => {
    lastId += 1;
    const update = structuredClone({ update_id: lastId, ...fields }) as unknown as Update;
    all.push(update);
    pending.push(update);
    notify();
    return lastId;
  };

  return {
    all,
    /** Emits `update` when one waits. */
    arrivals,
    get pending(): readonly Update[] {
      return [...again, ...pending];
    },
    setAllowed(kinds: readonly string[]) {
      allowed = kinds;
    },

    /** A new update; undefined if the bot did not request its type. */
    push(kind: string, value: Json): number | undefined {
      if (allowed.length > 0 && !allowed.includes(kind)) return undefined;
      const described: Json = { update_id: lastId + 1, [kind]: value };
      check(described);
      return pushRaw({ [kind]: value });
    },
    pushRaw,

    /** Delivers an update again, whether or not it was confirmed. */
    repeat(update: Update) {
      again.push(update);
      notify();
    },

    /** Updates from an offset on; it confirms and removes earlier ones. */
    take(offset: number, limit: number): readonly Update[] {
      pending = pending.filter(({ update_id }) => update_id >= offset);
      const repeated = again.splice(0, limit);
      const taken = [...repeated, ...pending.slice(0, limit - repeated.length)];
      state.announce();
      return taken;
    },

    /** Removes an update that a webhook accepted. */
    confirm(update: Update) {
      const index = again.indexOf(update);
      if (index >= 0) again.splice(index, 1);
      else pending = pending.filter((one) => one !== update);
      state.announce();
    },
  };
}

/** See `createUpdates`. */
export type UpdateQueue = ReturnType<typeof createUpdates>;
