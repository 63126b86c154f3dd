import { setTimeout as sleep } from "node:timers/promises";
import {
  type BotParts,
  BotRefusedError,
  type ConnectedBot,
  createJobs,
  type OpenRequest,
} from "@koma/bot-core";
import { Api, Bot } from "grammy";
import { createChatNames } from "./handlers/chat-names.ts";
import { createUpdates } from "./handlers/updates.ts";
import { reopenImage } from "./images/open-image.ts";
import { setProfile } from "./profile/set-profile.ts";
import { deepLink } from "./replies/keyboard.ts";
import { createDelayAnnouncer } from "./responses/announce-delay.ts";
import { createSender } from "./responses/sender.ts";
import { openStoredFiles } from "./responses/stored-files.ts";
import { createDownload } from "./telegram/download.ts";
import { describeError, isUnknownToken } from "./telegram/errors.ts";
import { startPolling, unknownToken } from "./telegram/polling.ts";
import { createTransformers } from "./telegram/transformers.ts";
import { deriveSecret, startWebhook } from "./telegram/webhook.ts";

/** The address of Telegram's Bot API. */
const telegramApiUrl = "https://api.telegram.org";

/** The time between two looks for requests of other processes that ended. */
const resumeIntervalMs = 5_000;

/**
 * Connects to Telegram, updates the bot's changed profile, and serves updates. Retries until Telegram is
 * reachable. Throws BotRefusedError if Telegram rejects the token, and the signal's reason.
 */
export async function openBot(parts: BotParts): Promise<ConnectedBot> {
  const { config, measures, log, signal } = parts;
  const { token, configuration } = config;
  const apiUrl = config.platformUrl ?? telegramApiUrl;
  const outOfTime = new AbortController();
  const onError = (what: string, error: unknown) => {
    measures.count("trouble");
    log.warn(`trouble: ${what}`, describeError(error));
  };
  const jobs = createJobs((name, error) => {
    measures.count("failure");
    log.error(`${name} failed`, describeError(error));
  });

  const telegram = new Bot(token, { client: { apiRoot: apiUrl, timeoutSeconds: 120 } });
  const { api } = telegram;
  api.config.use(
    ...createTransformers({
      signal: outOfTime.signal,
      onRateLimit(seconds) {
        measures.count("rate-limited");
        log.debug("waiting for a rate limit of Telegram", { seconds });
      },
    }),
  );
  await connect(telegram, { signal, onError });
  const bot = telegram.botInfo;
  const download = createDownload({ api, apiUrl, token });
  const sender = createSender({
    api,
    onError,
    username: bot.username,
    background: (name, work) => void jobs.start(name, work),
  });
  const core = await parts.openCore({
    fetchImage: async (reference) => reopenImage(reference, download),
    onLinkSettled: async ({ person, reply }) => void (await sender.direct(reply, { person })),
  });
  const { previews } = sender;
  const storedFiles = await openStoredFiles({ previews, memory: core.memory, botId: bot.id, onError });
  const chatNames = createChatNames(core.memory);
  // Without the transformers, which wait for the end of a rate limit.
  const announceDelay = createDelayAnnouncer({
    api: new Api(token, { apiRoot: apiUrl, timeoutSeconds: 10 }),
  });
  const updates = createUpdates({
    core,
    api,
    bot,
    sender,
    download,
    announceDelay,
    chatNames,
    onError,
    jobs,
  });
  const resume = (list: () => Promise<OpenRequest[]>) =>
    void jobs.start("resuming requests", async () => updates.resume(await list()));
  resume(core.requests.listOpen);
  const arrival = await receiveUpdates();
  const again = setInterval(() => resume(core.requests.listExpired), resumeIntervalMs);
  void jobs.start("setting the bot's profile", async () => {
    const count = await setProfile({ api, botId: bot.id, memory: core.memory, onError });
    log.info(count === 0 ? "names and commands are unchanged" : "names and commands are set", { count });
  });

  return {
    greeting: [
      `ready on Telegram as @${bot.username}`,
      `Write to the bot: https://t.me/${bot.username}`,
      `Add it to a group: ${deepLink(bot.username, "").replace("?start=", "?startgroup=add")}`,
    ],
    refused: arrival.refused,
    status: () => ({
      isHealthy: arrival.isConnected(),
      details: { isConnected: arrival.isConnected(), ...core.status(), jobs: jobs.count() },
    }),
    async close(ms) {
      clearInterval(again);
      await arrival.close();
      await jobs.settle(ms);
      outOfTime.abort();
      await storedFiles.close();
      await core.close();
    },
  };

  async function receiveUpdates() {
    const {
      TELEGRAM_WEBHOOK_URL: url,
      TELEGRAM_WEBHOOK_PORT: port,
      TELEGRAM_WEBHOOK_HOST: host,
    } = configuration;
    if (url === undefined) {
      await api.deleteWebhook();
      return startPolling({
        api,
        take: updates.take,
        onError,
        onConflict: () =>
          log.error(
            "Another program receives this bot's messages from Telegram. Only one can: stop the other, or use a separate bot for this one.",
          ),
      });
    }
    const secret = configuration.TELEGRAM_WEBHOOK_SECRET ?? deriveSecret(token);
    const webhook = await startWebhook({ api, take: updates.take, settings: { url, port, host, secret } });
    log.info("Telegram delivers", { port: webhook.port });
    return webhook;
  }
}

async function connect(
  telegram: Bot,
  { signal, onError }: { signal: AbortSignal; onError: (what: string, error: unknown) => void },
): Promise<void> {
  for (let waitMs = 1_000; ; waitMs = Math.min(waitMs * 2, 60_000)) {
    try {
      await telegram.init();
      return;
    } catch (error) {
      signal.throwIfAborted();
      if (isUnknownToken(error)) throw new BotRefusedError(unknownToken);
      onError("reaching Telegram", error);
    }
    await sleep(waitMs, undefined, { signal });
  }
}
