import type { BotCore } from "@koma/bot-core";
import type { Api } from "grammy";
import type { UserFromGetMe } from "grammy/types";
import type { DelayAnnouncer } from "../responses/announce-delay.ts";
import type { Sender } from "../responses/sender.ts";
import type { Download } from "../telegram/download.ts";
import type { ChatNames } from "./chat-names.ts";

/** The dependencies of the update handlers. */
export type HandlerParts = {
  core: BotCore;
  api: Api;
  bot: UserFromGetMe;
  sender: Sender;
  announceDelay: DelayAnnouncer;
  download: Download;
  chatNames: ChatNames;
  onError: (what: string, error: unknown) => void;
};

/** One attempt at serving an update: `sending` is called right before the reply is sent. */
export type Attempt = Parameters<Parameters<BotCore["requests"]["handle"]>[1]>[0] & {
  /** The request waited too long after an earlier attempt: its sender gets a note instead of a search. */
  isExpired: boolean;
};
