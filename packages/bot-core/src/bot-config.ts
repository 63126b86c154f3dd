import type { Configuration } from "@koma/contract/configuration";

/** What a bot's process needs to know. */
export type BotConfig = {
  platform: "discord" | "telegram";
  /** The bot's token on its platform. */
  token: string;
  /** Instead of the platform's own address, for tests. */
  platformUrl: string | undefined;
  apiUrl: string;
  botKey: string;
  vaultKeys: readonly Uint8Array[];
  dataDir: string;
  databaseUrl: string | undefined;
  botDatabaseUrl: string | undefined;
  /** Port of health and metrics; undefined: none. */
  healthPort: number | undefined;
  ffmpegPath: string | undefined;
  ffprobePath: string | undefined;
  logLevel: Configuration["LOG_LEVEL"];
  /** All else. */
  configuration: Configuration;
};

/**
 * The configuration of a bot in `environment`, with the bot's key and the secret from the data folder where they are not
 * set. Throws ConfigurationError naming what is missing.
 */
export async function readBotConfig(
  _platform: "discord" | "telegram",
  _environment: Record<string, string | undefined>,
): Promise<BotConfig> {
  throw new Error("Not yet.");
}
