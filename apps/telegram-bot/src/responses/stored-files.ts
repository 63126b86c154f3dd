import type { BotCore } from "@koma/bot-core";
import type { PreviewFiles, StoredFile } from "./preview-files.ts";

/** The time between two looks for files that were sent since. */
const intervalMs = 20_000;
/** The files in the database, and the time after which one that was not sent again is dropped. */
const fileLimit = 500;
const ttlMs = 14 * 24 * 3_600_000;

/**
 * Stores Telegram's ids of sent previews in the bots' database, so that a preview is not uploaded again after a
 * restart: the 500 that were sent last, of the last 14 days.
 */
export async function openStoredFiles(options: {
  previews: PreviewFiles;
  memory: Pick<BotCore["memory"], "get" | "set">;
  /** File ids are valid for one bot. */
  botId: number;
  onError: (what: string, error: unknown) => void;
  now?: () => number;
}): Promise<{ close(): Promise<void> }> {
  const { previews, memory, botId, onError, now = Date.now } = options;
  const name = `previews:${botId}`;
  let savedAt = now();
  await attempt("loading file ids", async () => previews.restore(await load()));
  const timer = setInterval(() => void save(), intervalMs);
  timer.unref();
  return {
    async close() {
      clearInterval(timer);
      await save();
    },
  };

  async function load(): Promise<StoredFile[]> {
    const files = JSON.parse((await memory.get(name)) ?? "[]") as StoredFile[];
    return files.filter(({ sentAt }) => now() - sentAt < ttlMs);
  }

  /** Other processes of the bot store files under the same name, so that theirs are read first. */
  async function save(): Promise<void> {
    const startedAt = now();
    const changed = previews.list().filter(({ sentAt }) => sentAt >= savedAt);
    if (changed.length === 0) return;
    await attempt("storing file ids", async () => {
      const files = new Map([...(await load()), ...changed].map((file) => [file.key, file]));
      const newest = [...files.values()].sort((a, b) => a.sentAt - b.sentAt).slice(-fileLimit);
      await memory.set(name, JSON.stringify(newest));
      savedAt = startedAt;
    });
  }

  async function attempt(what: string, work: () => Promise<void>): Promise<void> {
    await work().catch((error: unknown) => onError(what, error));
  }
}
