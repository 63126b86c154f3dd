import type { BotStore } from "@koma/database/bots";
import type { Platform } from "../model/request.ts";
import type { Identities } from "./identities.ts";
import type { Vault } from "./vault.ts";

/** The tables of the bots, and what encrypts and names their rows. */
export type SealedStorage = { platform: Platform; store: BotStore; vault: Vault; identities: Identities };
