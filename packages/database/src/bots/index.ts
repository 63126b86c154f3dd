/** The bots' tables, in a schema and with a role of their own. */
export type { PersonId } from "./bot-accounts.ts";
export { BotLoginError, ensureBotLogin } from "./bot-login.ts";
export type { BotMemoryStore, StoredSecret } from "./bot-memory.ts";
export type { RequestClaim, RequestId } from "./bot-requests.ts";
export type { SavedAlbum, SavedResult } from "./bot-results.ts";
export type { ChatId } from "./bot-settings.ts";
export type { ChatFind } from "./chat-finds.ts";
export { type BotStore, openBotStore } from "./open-bot-store.ts";
export type { PendingLink } from "./pending-links.ts";
export type { Sealed } from "./sealed.ts";
