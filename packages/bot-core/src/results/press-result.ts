import { ApiProblem } from "@koma/client";
import type { Context } from "../context.ts";
import type { PressAnswer } from "../model/reply.ts";
import type { PressRequest } from "../model/request.ts";
import { describeProblem } from "../replies/problem-reply.ts";
import type { Albums } from "./albums.ts";
import type { KeptResults, Result } from "./kept-results.ts";
import type { ResultReplies, ResultView } from "./result-reply.ts";

/** The buttons of a result. */
export type ResultPresses = ReturnType<typeof createResultPresses>;

export function createResultPresses(
  context: Context,
  parts: { kept: KeptResults; albums: Albums; replies: ResultReplies },
) {
  const { api, identities, settings, speak, now } = context;
  const { kept, albums, replies } = parts;

  return {
    /** Another match on show. */
    turn: (press: PressRequest, id: string, page: number) =>
      withOwn(press, id, async (result, view) => {
        const last = Math.max(1, result.content.matches.length);
        const there = Math.min(Math.max(1, Math.trunc(page) || 1), last);
        return await update(await kept.change(result, { page: there }), view);
      }),

    /** The candidates of an uncertain result. */
    showMore: (press: PressRequest, id: string) =>
      withOwn(press, id, async (result, view) =>
        update(await kept.change(result, { page: 1, isOpened: true }), view),
      ),

    /** The whole, for the asker alone. */
    showAlone: (press: PressRequest, id: string) =>
      withOwn(press, id, async (result, view) => {
        const reply = await replies.show(result, { ...view, isPrivate: true });
        return { kind: "private", reply: reply.privately ?? { ...reply, isPrivate: true } };
      }),

    /** This match is right; 0: none of them is. */
    judge: (press: PressRequest, id: string, rank: number) =>
      withOwn(press, id, async (result, view) => {
        const speaker = await speak(press);
        if (result.confirmedRank === rank) return notice(speaker.say("reply.confirmTaken"));
        try {
          const { searchId, confirmToken } = result.content;
          await api.measured("confirmSearch", () =>
            api.bot.confirmSearch({ id: searchId, rank, confirmToken }),
          );
        } catch (error) {
          if (error instanceof ApiProblem && error.code === "confirmation_expired")
            return notice(speaker.say("reply.confirmLate"), true);
          if (error instanceof ApiProblem && error.code === "not_found")
            return notice(speaker.say("reply.gone"), true);
          const { person } = press;
          const { title = "" } = describeProblem(error, { speaker, person, now: now() });
          return notice(title, true);
        }
        return await update(await kept.change(result, { confirmedRank: rank }), view);
      }),
  };

  /** Does it for the asker alone, while the result is kept. */
  async function withOwn(
    press: PressRequest,
    id: string,
    work: (result: Result, view: ResultView) => Promise<PressAnswer>,
  ): Promise<PressAnswer> {
    const { person, place } = press;
    const { say } = await speak(press);
    const result = await kept.find(id);
    if (result === undefined) return notice(say("reply.gone"), true);
    if (result.personKey !== identities.person(person.id).personKey)
      return notice(say("reply.onlyAsker"), true);
    const album = result.albumId === null ? undefined : await albums.find(result.albumId);
    const { isPrivate } = await settings.audienceAt(place);
    return await work(result, { person, place, isPrivate, isAlone: press.isPrivate, album });
  }

  async function update(result: Result, view: ResultView): Promise<PressAnswer> {
    return { kind: "update", reply: await replies.show(result, view) };
  }
}

function notice(text: string, isAlert = false): PressAnswer {
  return { kind: "notice", text, isAlert };
}
