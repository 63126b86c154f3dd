import type { BotCore } from "@koma/bot-core";
import type { Api } from "grammy";
import type { UserFromGetMe } from "grammy/types";
import type { Sender } from "../responses/sender.ts";
import type { Download } from "../telegram/download.ts";
import type { ChatNames } from "./chat-names.ts";

/** What serving updates takes. */
export type Parts = {
  core: BotCore;
  api: Api;
  bot: UserFromGetMe;
  sender: Sender;
  download: Download;
  chatNames: ChatNames;
  onError: (what: string, error: unknown) => void;
};

/** How one update is served: `sending` is called right before the answer goes out. */
export type Attempt = Parameters<Parameters<BotCore["requests"]["handle"]>[1]>[0];
