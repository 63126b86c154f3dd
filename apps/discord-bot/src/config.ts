import { type BotConfig, readBotConfig } from "@koma/bot-core";

/** The configuration of this process. Throws ConfigurationError. */
export function readConfig(): Promise<BotConfig> {
  return readBotConfig("discord", process.env);
}
