import type { MessageReference } from "@koma/bot-core";
import { type Api, Context } from "grammy";
import type { Update, UserFromGetMe } from "grammy/types";
import type { Attempt } from "./parts.ts";

/** grammY's context with the attempt at serving the stored update. */
export class UpdateContext extends Context {
  readonly attempt: Attempt;
  /** The reply, which the core records with the request. */
  sent: MessageReference | undefined;

  constructor(update: Update, { api, bot, attempt }: { api: Api; bot: UserFromGetMe; attempt: Attempt }) {
    super(update, api, bot);
    this.attempt = attempt;
  }
}
