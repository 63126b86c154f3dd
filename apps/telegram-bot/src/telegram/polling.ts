import { setTimeout as sleep } from "node:timers/promises";
import { createConcurrentSink, createRunner, createSource } from "@grammyjs/runner";
import { BotRefusedError } from "@koma/bot-core";
import { type Api, GrammyError } from "grammy";
import type { Update } from "grammy/types";
import { allowedUpdates } from "../handlers/is-relevant.ts";
import type { AcceptedUpdate } from "../handlers/updates.ts";
import { isConflict, isUnknownToken } from "./errors.ts";

/** A source of updates: polling or a webhook. */
export type Arrival = {
  /** Resolves when Telegram rejects the bot permanently. */
  refused: Promise<Error>;
  /** True if updates arrive. */
  isConnected(): boolean;
  /** Stops the updates; resolves at once. */
  close(): Promise<void>;
};

const pollSeconds = 30;
/** The maximum wait for the database, because it can be unavailable for long while updates arrive. */
const storeWaitMs = 2_000;
const waitsMs = [500, 1_000, 2_000, 5_000, 10_000, 20_000];

/** The message for an invalid token. */
export const unknownToken =
  "Telegram rejects this token: copy the bot's token from @BotFather (/mybots, API Token) to TELEGRAM_TOKEN.";

/** Polls Telegram for updates. Delivered updates are confirmed after they are stored. */
export function startPolling(options: {
  api: Api;
  take: (update: Update) => AcceptedUpdate;
  onError: (what: string, error: unknown) => void;
  onConflict: () => void;
}): Arrival {
  const { api, take, onError } = options;
  const unnoted = new Set<Promise<void>>();
  let offset = 0;
  let lastResponseMs = Date.now();
  const { promise: refused, resolve: refuse } = Promise.withResolvers<Error>();

  const source = createSource<Update>({
    async supply(batchSize, signal) {
      // The next poll confirms these updates to Telegram.
      await Promise.race([Promise.all(unnoted), sleep(storeWaitMs, undefined, { ref: false })]);
      for (let failures = 0; ; failures++) {
        try {
          const limit = Math.max(1, Math.min(batchSize, 100));
          const query = { offset, limit, timeout: pollSeconds, allowed_updates: [...allowedUpdates] };
          const updates = await api.getUpdates(query, signal);
          lastResponseMs = Date.now();
          offset = updates.reduce((next, update) => Math.max(next, readId(update) + 1), offset);
          return updates;
        } catch (error) {
          if (signal.aborted) throw error;
          await recover(error, failures);
        }
      }
    },
  });
  const sink = createConcurrentSink<Update>(
    {
      consume(update) {
        const { noted, done } = take(update);
        unnoted.add(noted);
        void noted.finally(() => unnoted.delete(noted));
        return done;
      },
    },
    async (error) => onError("update", error),
  );
  const runner = createRunner(source, sink);
  runner.start();
  let isClosing = false;
  void runner.task()?.then(
    () => end(undefined),
    (error: unknown) => end(error),
  );

  return {
    refused,
    isConnected: () => runner.isRunning() && Date.now() - lastResponseMs < (pollSeconds + 30) * 1000,
    async close() {
      isClosing = true;
      void runner.stop()?.catch(() => {});
    },
  };

  /** Without polling the process is of no use: it exits, and its supervisor starts it again. */
  function end(cause: unknown): void {
    if (!isClosing) refuse(new Error("Polling Telegram for updates has stopped.", { cause }));
  }

  async function recover(error: unknown, failures: number): Promise<void> {
    if (isUnknownToken(error)) refuse(new BotRefusedError(unknownToken));
    else if (isConflict(error)) {
      if (failures % 6 === 0) options.onConflict();
      if (error instanceof GrammyError && /webhook/i.test(error.description)) {
        await api.deleteWebhook().catch(() => {});
      }
    } else if (failures < 3 || failures % 10 === 0) onError("asking for updates", error);
    const retryAfterMs = error instanceof GrammyError ? (error.parameters.retry_after ?? 0) * 1000 : 0;
    await sleep(Math.max(retryAfterMs, waitsMs[Math.min(failures, waitsMs.length - 1)] ?? 0));
  }
}

function readId(update: Update | null): number {
  const id: unknown = update?.update_id;
  return Number.isSafeInteger(id) ? Number(id) : -1;
}
