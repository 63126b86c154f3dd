import { Bot, type Context, type PollingOptions } from "grammy";
import type { StandIn } from "./types.ts";

/** A real grammY bot at the stand-in that polls; resolves when it listens. */
export async function startClient(
  standIn: StandIn,
  listen: (bot: Bot) => void,
  options: PollingOptions = {},
): Promise<Bot & { close(): Promise<void> }> {
  const bot = new Bot<Context>(standIn.token, { client: { apiRoot: standIn.apiUrl } });
  listen(bot);
  const running = bot.start(options);
  await Promise.race([standIn.updates.ready(), running]);
  return Object.assign(bot, {
    async close() {
      await bot.stop();
      await running;
    },
  });
}
