import type { BotStore } from "@koma/database/bots";
import type { BotTranslator } from "@koma/messages";
import type { Accounts } from "./accounts/accounts.ts";
import type { ApiClients } from "./api/api-clients.ts";
import type { BotCoreOptions, Measure } from "./model/bot-core.ts";
import type { Chat, Person, Platform } from "./model/request.ts";
import type { Settings } from "./settings/settings.ts";
import type { Identities } from "./vault/identities.ts";
import type { Vault } from "./vault/vault.ts";

/** The dependencies that the modules of the core share. */
export type Context = {
  platform: Platform;
  options: BotCoreOptions;
  store: BotStore;
  vault: Vault;
  identities: Identities;
  api: ApiClients;
  accounts: Accounts;
  settings: Settings;
  /** The translator for a reader. The chat's language has less weight for a private reply. */
  translatorFor(reader: {
    person?: Person | undefined;
    chat?: Chat | undefined;
    isPrivate?: boolean | undefined;
  }): Promise<BotTranslator>;
  /** A tag in button targets that restricts them to a person without revealing the person's id. */
  tagOf(personId: string): string;
  now(): Date;
  log(level: "info" | "warn" | "error", message: string): void;
  measure(measure: Measure): void;
};
