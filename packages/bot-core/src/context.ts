import type { BotStore } from "@koma/database/bots";
import type { BotTranslator } from "@koma/messages";
import type { Accounts } from "./accounts/accounts.ts";
import type { ApiClients } from "./api/api-clients.ts";
import type { BotCoreOptions, Measure } from "./model/bot-core.ts";
import type { Chat, Person, Platform } from "./model/request.ts";
import type { Settings } from "./settings/settings.ts";
import type { Identities } from "./vault/identities.ts";
import type { Vault } from "./vault/vault.ts";

/** What every part of the core works with. */
export type Context = {
  platform: Platform;
  options: BotCoreOptions;
  store: BotStore;
  vault: Vault;
  identities: Identities;
  api: ApiClients;
  accounts: Accounts;
  settings: Settings;
  /** The speaker for a reader; of a private reply the place's language matters less. */
  translatorFor(reader: {
    person?: Person | undefined;
    chat?: Chat | undefined;
    isPrivate?: boolean | undefined;
  }): Promise<BotTranslator>;
  /** Stands in targets for who may use them: tells people apart, not who they are. */
  tagOf(personId: string): string;
  now(): Date;
  log(level: "info" | "warn" | "error", message: string): void;
  measure(measure: Measure): void;
};
