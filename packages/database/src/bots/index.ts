/** The bots' tables, in a schema and with a role of their own. */
export type { BotAccountStore, PersonId } from "./bot-accounts.ts";
export { BotLoginError, ensureBotLogin } from "./bot-login.ts";
export type { BotMemoryStore, StoredSecret } from "./bot-memory.ts";
export type { BotRequestStore, RequestClaim, RequestId } from "./bot-requests.ts";
export type { BotResultStore, SavedAlbum, SavedResult } from "./bot-results.ts";
export type { BotSettingsStore, ChatId } from "./bot-settings.ts";
export type { ChatFind, ChatFindStore } from "./chat-finds.ts";
export { type BotStore, openBotStore } from "./open-bot-store.ts";
export type { PendingLink, PendingLinkStore } from "./pending-links.ts";
export type { BotPeopleStore } from "./people.ts";
export type { Sealed } from "./sealed.ts";
