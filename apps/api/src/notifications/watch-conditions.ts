import { setTimeout as wait } from "node:timers/promises";
import type { Notification } from "./send-notification.ts";

/** Returns the problem in one sentence; undefined while there is none. */
export type Condition = () => Promise<string | undefined>;

type Options = {
  conditions: { readonly [name: string]: Condition };
  send: (notification: Omit<Notification, "site">) => Promise<void>;
  onLog: (message: string, level: "warn") => void;
  gapMs?: number | undefined;
};

/**
 * Reads the conditions every five minutes and sends one message when a problem begins and one when it ends. What
 * could not be sent or read is tried again at the next time. Returns a function that stops it.
 */
export function watchConditions({ conditions, send, onLog, gapMs = 300_000 }: Options): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const reported = new Map<string, string>();

  async function check(name: string, condition: Condition): Promise<void> {
    const problem = await condition();
    const before = reported.get(name);
    if ((problem === undefined) === (before === undefined)) return;
    const at = new Date();
    const message = problem ?? before ?? "";
    await send({ condition: name, state: problem === undefined ? "solved" : "problem", message, at });
    if (problem === undefined) reported.delete(name);
    else reported.set(name, problem);
  }
  async function run(): Promise<void> {
    while (!signal.aborted) {
      for (const [name, condition] of Object.entries(conditions)) {
        await check(name, condition).catch((error: unknown) => {
          const reason = error instanceof Error ? error.message : String(error);
          onLog(`The operators were not notified about "${name}": ${reason}`, "warn");
        });
      }
      await wait(gapMs, undefined, { signal }).catch(() => undefined);
    }
  }
  const running = run();
  return async () => {
    stopping.abort();
    await running;
  };
}
