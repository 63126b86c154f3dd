import { runBotProcess } from "@koma/bot-core";
import { environment } from "./config.ts";
import { openBot } from "./open-bot.ts";

/** The Telegram bot as a process: `ready on Telegram …` on standard output, the log on standard error. */
runBotProcess({ platform: "telegram", environment, open: openBot });
