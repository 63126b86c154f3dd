import { ApiProblem, createClient } from "@koma/client";
import { ConfigurationError } from "@koma/config";
import type { BotConfig } from "../bot-config.ts";

/**
 * Checks with the API whether the bot's key may act for chat users. Throws ConfigurationError for a personal
 * key. An unreachable API is no error, because it may start later.
 */
export async function checkBotKey(
  { apiUrl, botKey, platform }: Pick<BotConfig, "apiUrl" | "botKey" | "platform">,
  signal: AbortSignal,
): Promise<void> {
  const client = createClient({ baseUrl: apiUrl, apiKey: botKey, deadlineMs: 5000 });
  try {
    // No user of a platform has this id.
    await client.getQuota({}, { headers: { "x-koma-chat-user": `${platform}:0` }, signal });
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.code !== "forbidden") return;
    throw new ConfigurationError([{ variable: "KOMA_BOT_KEY", message: whyBotKey }]);
  }
}

const whyBotKey =
  "is a personal API key, which may not act for chat users: ask the operator of that Koma for a bot key (`koma bot key create`)";
