import { ApiProblem } from "@koma/client";
import type { Context } from "../context.ts";
import type { ActionResult } from "../model/reply.ts";
import type { ActionRequest } from "../model/request.ts";
import { describeProblem } from "../replies/problem-reply.ts";
import type { Albums } from "./albums.ts";
import type { ResultReplies, ResultView } from "./result-reply.ts";
import type { Result, SavedResults } from "./saved-results.ts";

/** The buttons of a result. */
export type ResultActions = ReturnType<typeof createResultActions>;

export function createResultActions(
  context: Context,
  parts: { saved: SavedResults; albums: Albums; replies: ResultReplies },
) {
  const { api, identities, settings, translatorFor, now } = context;
  const { saved, albums, replies } = parts;

  return {
    /** Another match on show. */
    turn: (action: ActionRequest, id: string, page: number) =>
      withOwn(action, id, async (result, view) => {
        const last = Math.max(1, result.content.matches.length);
        const there = Math.min(Math.max(1, Math.trunc(page) || 1), last);
        return await update(await saved.change(result, { page: there }), view);
      }),

    /** The candidates of an uncertain result. */
    showMore: (action: ActionRequest, id: string) =>
      withOwn(action, id, async (result, view) =>
        update(await saved.change(result, { page: 1, isOpened: true }), view),
      ),

    /** The whole, for the asker alone. */
    showAlone: (action: ActionRequest, id: string) =>
      withOwn(action, id, async (result, view) => {
        const reply = await replies.show(result, { ...view, isPrivate: true });
        return { kind: "private", reply: reply.privately ?? { ...reply, isPrivate: true } };
      }),

    /** This match is right; 0: none of them is. */
    confirm: (action: ActionRequest, id: string, rank: number) =>
      withOwn(action, id, async (result, view) => {
        const translator = await translatorFor(action);
        if (result.confirmedRank === rank) return onLog(translator.t("reply.confirmTaken"));
        try {
          const { searchId, confirmToken } = result.content;
          await api.measured("confirmSearch", () =>
            api.bot.confirmSearch({ id: searchId, rank, confirmToken }),
          );
        } catch (error) {
          if (error instanceof ApiProblem && error.code === "confirmation_expired")
            return onLog(translator.t("reply.confirmLate"), true);
          if (error instanceof ApiProblem && error.code === "not_found")
            return onLog(translator.t("reply.gone"), true);
          const { person } = action;
          const { title = "" } = describeProblem(error, { translator, person, now: now() });
          return onLog(title, true);
        }
        return await update(await saved.change(result, { confirmedRank: rank }), view);
      }),
  };

  /** Does it for the asker alone, while the result is kept. */
  async function withOwn(
    action: ActionRequest,
    id: string,
    work: (result: Result, view: ResultView) => Promise<ActionResult>,
  ): Promise<ActionResult> {
    const { person, chat } = action;
    const { t } = await translatorFor(action);
    const result = await saved.find(id);
    if (result === undefined) return onLog(t("reply.gone"), true);
    if (result.personKey !== identities.person(person.id).personKey) return onLog(t("reply.onlyAsker"), true);
    const album = result.albumId === null ? undefined : await albums.find(result.albumId);
    const { isPrivate } = await settings.audienceAt(chat);
    return await work(result, { person, chat, isPrivate, isAlone: action.isPrivate, album });
  }

  async function update(result: Result, view: ResultView): Promise<ActionResult> {
    return { kind: "update", reply: await replies.show(result, view) };
  }
}

function onLog(text: string, isAlert = false): ActionResult {
  return { kind: "notice", text, isAlert };
}
