import { explainBotError, readBotConfig, runBotProcess } from "@koma/bot-core";
import { endProcessAfter, exitCodes } from "@koma/process";
import { defineCommands } from "./commands/all-commands.ts";
import { environment } from "./config.ts";
import { createDiscordApi } from "./discord/discord-api.ts";
import { createRest, openBot } from "./open-bot.ts";

/**
 * The Discord bot as a process: `ready on Discord …` and the invite link on standard output, the log on standard error. With
 * `register` it only registers the commands.
 */
function main([command]: readonly string[]): void {
  if (command === undefined) runBotProcess({ platform: "discord", environment, open: openBot });
  else if (command === "register") endProcessAfter(register(), explainBotError);
  else {
    process.stderr.write(`Unknown argument ${command}: there is \`register\`, or none to run the bot.\n`);
    process.exitCode = exitCodes.wrongUsage;
  }
}

async function register(): Promise<undefined> {
  const api = createDiscordApi(createRest(await readBotConfig("discord", environment)));
  const { id } = await api.getApplication();
  await api.registerCommands(id, defineCommands());
  process.stdout.write("The commands are registered.\n");
}

main(process.argv.slice(2));
