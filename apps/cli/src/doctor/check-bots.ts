import { existsSync } from "node:fs";
import { join } from "node:path";
import { checkMode } from "./check-secret.ts";
import { type CheckContext, type Finding, ok, warning } from "./finding.ts";

/** Checks the form of the tokens and the file of the bot key; asks no platform. */
export async function checkBots({ configuration }: CheckContext): Promise<Finding[]> {
  const { DISCORD_TOKEN, TELEGRAM_TOKEN, KOMA_BOT_KEY, KOMA_DATA_DIR: dataDir } = configuration;
  const keyFile = join(dataDir, "bot-key");
  const findings: Finding[] = [];
  if (DISCORD_TOKEN !== undefined) findings.push(checkDiscordToken(DISCORD_TOKEN));
  if (TELEGRAM_TOKEN !== undefined) findings.push(checkTelegramToken(TELEGRAM_TOKEN));
  if (findings.length === 0) findings.push(ok("No bot is configured."));
  else if (KOMA_BOT_KEY !== undefined) findings.push(ok("KOMA_BOT_KEY is set."));
  else if (!existsSync(keyFile)) findings.push(ok("The start of a bot creates its key."));
  if (existsSync(keyFile)) findings.push(await checkMode(keyFile));
  return findings;
}

/** A token begins with the id of the application in base64. */
function checkDiscordToken(token: string): Finding {
  const [id = "", ...others] = token.split(".");
  if (others.length === 2 && /^\d+$/.test(Buffer.from(id, "base64").toString("latin1"))) {
    return ok("DISCORD_TOKEN has the form of a bot token.");
  }
  return warning(
    "DISCORD_TOKEN does not look like a bot token: copy it from the page Bot of the application, not its id or client secret.",
  );
}

function checkTelegramToken(token: string): Finding {
  if (/^\d{6,}:[\w-]{35}$/.test(token)) return ok("TELEGRAM_TOKEN has the form of a bot token.");
  return warning("TELEGRAM_TOKEN does not look like a bot token: copy all of it from @BotFather.");
}
