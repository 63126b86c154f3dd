import { ApiProblem, NetworkFailure, UnexpectedResponse } from "@koma/client";
import { readStack } from "@koma/process";
import type { Accounts } from "../accounts/accounts.ts";
import { isRefusal, KeyRefusedError } from "../accounts/refused-key.ts";
import type { AccountOffer } from "../api/account-offer.ts";
import { ImageError } from "../image/errors.ts";
import type { OnLog } from "../model/bot-core.ts";
import type { Reply } from "../model/reply.ts";
import type { Requester } from "../model/request.ts";
import { QueueClosedError, QueueFullError } from "../queue.ts";
import { ChatQuotaError } from "../settings/settings.ts";
import { actionButton, buildReply, line } from "./build-reply.ts";
import { describeProblem } from "./problem-reply.ts";
import { writeTarget } from "./targets.ts";
import type { TranslatorFor } from "./translator-for.ts";

/** Converts errors into replies. */
export type Guard = ReturnType<typeof createGuard>;

export function createGuard({
  translatorFor,
  accounts,
  hasMoreWithAccount,
  now,
  log,
}: {
  translatorFor: TranslatorFor;
  accounts: Accounts;
  hasMoreWithAccount: AccountOffer;
  now: () => Date;
  log: OnLog;
}) {
  /**
   * The reply of `work`, or a private one that reports the error; never throws. A rejected key is removed and
   * reported.
   */
  return async function guard({ person, chat }: Requester, work: () => Promise<Reply>): Promise<Reply> {
    try {
      return await work();
    } catch (error) {
      const translator = await translatorFor({ person, chat, isPrivate: true });
      logForOperator(error);
      if (!(error instanceof KeyRefusedError)) {
        const isLimit = error instanceof ApiProblem && error.code === "guest_limit_reached";
        const hasMore = isLimit && (await hasMoreWithAccount());
        return describeProblem(error, { translator, person, now: now(), hasMoreWithAccount: hasMore });
      }
      // If the removal fails, the key is rejected again at the next request.
      await accounts.drop(person, error.ownKey).catch(logForOperator);
      const { t } = translator;
      return buildReply(translator, person, {
        kind: "unlinked",
        isPrivate: true,
        title: t("link.keyRefused.title"),
        lines: [line(t("link.keyRefused.text"))],
        buttons: [[actionButton("link", t("button.link"), writeTarget("link"))]],
      });
    }
  };

  function logForOperator(error: unknown): void {
    if (isRefusal(error))
      log("error", "The API rejects the bot's own key (KOMA_BOT_KEY): searches do not work.");
    else if (error instanceof NetworkFailure) log("warn", error.message);
    else if (error instanceof UnexpectedResponse) log("error", error.message);
    else if (!expected.some((kind) => error instanceof kind)) {
      log("error", readStack(error));
    }
  }
}

const expected = [ApiProblem, ImageError, QueueFullError, QueueClosedError, KeyRefusedError, ChatQuotaError];
