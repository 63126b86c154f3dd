import { Bot, type Context, type PollingOptions } from "grammy";
import type { Fake } from "./types.ts";

/** A real grammY bot at the stand-in that polls; resolves when it listens. */
export async function startClient(
  fake: Fake,
  listen: (bot: Bot) => void,
  options: PollingOptions = {},
): Promise<Bot & { close(): Promise<void> }> {
  const bot = new Bot<Context>(fake.token, { client: { apiRoot: fake.apiUrl } });
  listen(bot);
  const running = bot.start(options);
  await Promise.race([fake.updates.ready(), running]);
  return Object.assign(bot, {
    async close() {
      await bot.stop();
      await running;
    },
  });
}
