/** The bots' own tables: a schema and a role of their own beside the rest of Koma. */
export { type BotStore, openBotStore } from "./open-bot-store.ts";
