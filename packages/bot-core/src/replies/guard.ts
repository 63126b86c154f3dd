import { ApiProblem, NetworkFailure, UnexpectedAnswer } from "@koma/client";
import type { Context } from "../context.ts";
import type { Reply } from "../model/reply.ts";
import type { Person, Place } from "../model/request.ts";
import { isRefusal, KeyRefusedError } from "../people/refused-key.ts";
import { PictureError } from "../picture/errors.ts";
import { QueueClosedError, QueueFullError } from "../queue.ts";
import { buildReply, line, pressButton } from "./build-reply.ts";
import { describeProblem } from "./problem-reply.ts";
import { writeTarget } from "./targets.ts";

/** Turns whatever goes wrong into a reply. */
export type Guard = ReturnType<typeof createGuard>;

export function createGuard(context: Context) {
  const { speak, accounts, now, notice } = context;

  /**
   * The reply of `work`, or one for the asker alone that says why there is none; never throws. A refused key is removed,
   * and said so.
   */
  return async function guard(
    { person, place }: { person: Person; place: Place },
    work: () => Promise<Reply>,
  ): Promise<Reply> {
    try {
      return await work();
    } catch (error) {
      const speaker = await speak({ person, place, isPrivate: true });
      tellOperator(error);
      if (!(error instanceof KeyRefusedError)) {
        return describeProblem(error, { speaker, person, now: now() });
      }
      // If that fails, the key is refused again the next time.
      await accounts.drop(person, error.ownKey).catch(tellOperator);
      const { say } = speaker;
      return buildReply(speaker, person, {
        ...{ kind: "unlinked", isPrivate: true, title: say("link.keyRefused.title") },
        lines: [line(say("link.keyRefused.text"))],
        buttons: [[pressButton("link", say("button.link"), writeTarget("link"))]],
      });
    }
  };

  function tellOperator(error: unknown): void {
    if (isRefusal(error))
      notice("error", "The API refuses the bot's own key (KOMA_BOT_KEY): nothing can be searched.");
    else if (error instanceof NetworkFailure) notice("warn", error.message);
    else if (error instanceof UnexpectedAnswer) notice("error", error.message);
    else if (!expected.some((kind) => error instanceof kind)) {
      notice("error", error instanceof Error ? (error.stack ?? error.message) : String(error));
    }
  }
}

const expected = [ApiProblem, PictureError, QueueFullError, QueueClosedError, KeyRefusedError];
