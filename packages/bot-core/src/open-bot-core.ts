import type { BotCore, BotCoreOptions } from "./model/bot-core.ts";

/** Opens the part that the bots share: takes up what a restart left open, and follows links that wait for approval. */
export async function openBotCore(_options: BotCoreOptions): Promise<BotCore> {
  throw new Error("Not yet.");
}
