import { ApiProblem } from "@koma/client";
import type { Requester } from "../model/request.ts";
import { describeProblem } from "../replies/problem-reply.ts";
import type { Shared } from "../shared.ts";
import type { Result } from "./saved-results.ts";

/** What the requester says instead: an anime of the library or a text, and the episode. */
export type CorrectedScene = {
  correction?: string | undefined;
  correctedAnimeId?: string | undefined;
  correctedEpisode?: string | undefined;
};

/**
 * Reports the right match to the API (0: none of them, with what is right; null: unknown). Returns a notice if that
 * fails.
 */
export type ReportRank = ReturnType<typeof createReportRank>;

export function createReportRank({ api, translatorFor, now }: Shared) {
  return async function reportRank(
    { person, chat }: Requester,
    { content: { searchId: id, confirmToken } }: Result,
    rank: number | null,
    corrected: CorrectedScene = {},
  ): Promise<string | undefined> {
    try {
      if (rank === null)
        await api.measured("unconfirmSearch", () => api.bot.unconfirmSearch({ id, confirmToken }));
      else
        await api.measured("confirmSearch", () =>
          api.bot.confirmSearch({ id, rank, confirmToken, ...corrected }),
        );
      return undefined;
    } catch (error) {
      const translator = await translatorFor({ person, chat });
      if (error instanceof ApiProblem && error.code === "confirmation_expired")
        return translator.t("reply.confirmLate");
      if (error instanceof ApiProblem && error.code === "not_found") return translator.t("reply.gone");
      const { title = "" } = describeProblem(error, { translator, person, now: now() });
      return title;
    }
  };
}
