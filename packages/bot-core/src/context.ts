import type { BotStore } from "@koma/database/bots";
import type { BotSpeaker } from "@koma/messages";
import type { ApiClients } from "./api/api-clients.ts";
import type { BotCoreOptions, Measure } from "./model/bot-core.ts";
import type { Person, Place, Platform } from "./model/request.ts";
import type { Accounts } from "./people/accounts.ts";
import type { Settings } from "./people/settings.ts";
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
  speak(reader: {
    person?: Person | undefined;
    place?: Place | undefined;
    isPrivate?: boolean | undefined;
  }): Promise<BotSpeaker>;
  /** Stands in targets for who may use them: tells people apart, not who they are. */
  tagOf(personId: string): string;
  now(): Date;
  notice(level: "info" | "warn" | "error", message: string): void;
  measure(measure: Measure): void;
};
