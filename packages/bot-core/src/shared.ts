import type { Accounts } from "./accounts/accounts.ts";
import type { AccountOffer } from "./api/account-offer.ts";
import type { ApiClients } from "./api/api-clients.ts";
import type { BotCoreOptions, OnLog, OnMeasure } from "./model/bot-core.ts";
import type { Guard } from "./replies/guard.ts";
import type { ReplyWriters } from "./replies/reply-writers.ts";
import type { TranslatorFor } from "./replies/translator-for.ts";
import type { Settings } from "./settings/settings.ts";
import type { SealedStorage } from "./vault/sealed-storage.ts";

/** What most parts of the core use; each names the ones that it needs. */
export type Shared = SealedStorage &
  ReplyWriters &
  Pick<BotCoreOptions, "botKey" | "fetchImage" | "mediaTools" | "onLinkSettled" | "seesAllMessages"> & {
    api: ApiClients;
    accounts: Accounts;
    settings: Settings;
    translatorFor: TranslatorFor;
    guard: Guard;
    hasMoreWithAccount: AccountOffer;
    /** The end of a button's target that restricts it to a person. */
    tagOf: (personId: string) => string;
    measure: OnMeasure;
    now: () => Date;
    log: OnLog;
  };
