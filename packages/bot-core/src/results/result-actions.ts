import type { ChatTop } from "../info/chat-top.ts";
import type { ActionResult } from "../model/reply.ts";
import type { ActionRequest } from "../model/request.ts";
import type { Shared } from "../shared.ts";
import type { Albums } from "./albums.ts";
import { isRejected, listCandidates } from "./candidates.ts";
import type { ReportRank } from "./report-rank.ts";
import type { ResultReplies } from "./result-reply.ts";
import type { ResultView } from "./result-view.ts";
import type { Result, SavedResults } from "./saved-results.ts";

/** The actions of a result's buttons. */
export type ResultActions = ReturnType<typeof createResultActions>;

export function createResultActions(
  { identities, settings, translatorFor }: Shared,
  parts: {
    saved: SavedResults;
    albums: Albums;
    replies: ResultReplies;
    chatTop: ChatTop;
    reportRank: ReportRank;
  },
) {
  const { saved, albums, replies, chatTop, reportRank } = parts;
  /** The results that are being shared: a second press must not post them again. */
  const sharing = new Set<string>();

  return {
    /** Shows another match. */
    showPage: (action: ActionRequest, id: string, page: number) =>
      withOwn(action, id, async (result, view) => {
        const last = Math.max(1, listCandidates(result).length);
        const there = Math.min(Math.max(1, Math.trunc(page) || 1), last);
        return await update(await saved.change(result, { page: there }), view);
      }),

    /** Shows the look-alikes too, from the first one on. A repeated press shows the same page. */
    showMore: (action: ActionRequest, id: string) =>
      withOwn(action, id, async (result, view) => {
        const { length } = listCandidates({ ...result, isOpened: false });
        const page = Math.min(length + 1, result.content.matches.length);
        return await update(await saved.change(result, { page, isOpened: true }), view);
      }),

    /** Sends the full result privately. */
    showAlone: (action: ActionRequest, id: string) =>
      withOwn(action, id, async (result, view) => {
        const reply = await replies.show(result, { ...view, isPrivate: true });
        return { kind: "private", reply: reply.privately ?? { ...reply, isPrivate: true } };
      }),

    /** Posts a private result for all, once. */
    share: (action: ActionRequest, id: string) =>
      withOwn(action, id, async (result, view) => {
        const { t } = await translatorFor(action);
        if (result.content.isShared || sharing.has(id)) return notify(t("reply.alreadyShared"));
        sharing.add(id);
        try {
          // The image was uploaded for a private reply, so its address stays out of the public one.
          const shared = await saved.recontent(result, { isShared: true, imageUrl: undefined });
          const reply = await replies.show(shared, { ...view, isPrivate: false, isAlone: false });
          if (reply.kind !== "adult")
            return { kind: "publish", reply, rest: await replies.show(shared, view) };
          await saved.recontent(result, { isShared: false });
          return notify(t("reply.adultElsewhere.title"), true);
        } finally {
          sharing.delete(id);
        }
      }),

    /** Lists the occurrences of the shot, privately. */
    showOccurrences: (action: ActionRequest, id: string, rank: number) =>
      withOwn(action, id, async (result, view) => {
        const match = result.content.matches.find((one) => one.rank === rank);
        if (match === undefined) return notify((await translatorFor(action)).t("reply.gone"), true);
        return { kind: "private", reply: await replies.listOccurrences(match, view) };
      }),

    /** Confirms this match. */
    confirm: (action: ActionRequest, id: string, rank: number) =>
      withOwn(action, id, async (result, view) => {
        // In replies of earlier versions, rank 0 means "none of them is right".
        if (rank === 0) return await rejectMatch(action, result, view, result.page);
        if (result.confirmedRank === rank)
          return notify((await translatorFor(action)).t("reply.confirmTaken"));
        const problem = await report(action, result, rank);
        if (problem !== undefined) return problem;
        await chatTop.count(action, id, result.content.matches.find((one) => one.rank === rank)?.anime.id);
        const rejectedRanks = result.content.rejectedRanks.filter((one) => one !== rank);
        const changed = await saved.recontent(result, { rejectedRanks });
        // The button of an earlier page confirms that page's match, so that match is shown.
        const index = listCandidates(changed).findIndex((one) => one.rank === rank);
        const page = index === -1 ? changed.page : index + 1;
        return await update(await saved.change(changed, { confirmedRank: rank, page }), view);
      }),

    /** Rejects this match and shows the next candidate. */
    reject: (action: ActionRequest, id: string, rank: number) =>
      withOwn(action, id, (result, view) => rejectMatch(action, result, view, rank)),
  };

  async function rejectMatch(
    action: ActionRequest,
    result: Result,
    view: ResultView,
    rank: number,
  ): Promise<ActionResult> {
    const { matches } = result.content;
    const match = matches.find((one) => one.rank === rank);
    const { t } = await translatorFor(action);
    if (match === undefined) return notify(t("reply.gone"), true);
    if (isRejected(result, match)) return notify(t("reply.confirmTaken"));
    const rejectedRanks = [...result.content.rejectedRanks, rank];
    // The API stores one right match or none. It cannot store a single wrong candidate.
    const isNoneRight = matches.every((one) => rejectedRanks.includes(one.rank));
    const confirmedRank = isNoneRight ? 0 : result.confirmedRank === rank ? null : result.confirmedRank;
    if (confirmedRank !== result.confirmedRank) {
      const problem = await report(action, result, confirmedRank);
      if (problem !== undefined) return problem;
      await chatTop.count(action, result.id, undefined);
    }
    const rejected = await saved.recontent(result, { rejectedRanks });
    const page = confirmedRank === null ? findNextPage(rejected) : result.page;
    const changed = await saved.change(rejected, { confirmedRank, page });
    return await update(changed, { ...view, isAfterRejection: true });
  }

  /** Reports the right match. Returns a notice if that fails. */
  async function report(
    action: ActionRequest,
    result: Result,
    rank: number | null,
  ): Promise<ActionResult | undefined> {
    const problem = await reportRank(action, result, rank);
    return problem === undefined ? undefined : notify(problem, true);
  }

  /** Runs the action for the requester only, while the result is saved. */
  async function withOwn(
    action: ActionRequest,
    id: string,
    work: (result: Result, view: ResultView) => Promise<ActionResult>,
  ): Promise<ActionResult> {
    const { person, chat } = action;
    const { t } = await translatorFor(action);
    const result = await saved.find(id);
    if (result === undefined) return notify(t("reply.gone"), true);
    if (result.personKey !== identities.person(person.id).personKey)
      return notify(t("reply.onlyAsker"), true);
    const album = result.albumId === null ? undefined : await albums.find(result.albumId);
    const { isPrivate } = await settings.audienceAt(chat);
    return await work(result, { person, chat, isPrivate, isAlone: action.isPrivate, album });
  }

  async function update(result: Result, view: ResultView): Promise<ActionResult> {
    return { kind: "update", reply: await replies.show(result, view) };
  }
}

/**
 * The page of the next candidate that is not rejected, starting at the current one; the current page if none
 * is left.
 */
function findNextPage(result: Result): number {
  const candidates = listCandidates(result);
  const pages = [...candidates.keys()].map((index) => index + 1);
  const inOrder = [...pages.slice(result.page), ...pages.slice(0, result.page)];
  const isOpen = (page: number) => {
    const match = candidates[page - 1];
    return match !== undefined && !isRejected(result, match);
  };
  return inOrder.find(isOpen) ?? result.page;
}

function notify(text: string, isAlert = false): ActionResult {
  return { kind: "notice", text, isAlert };
}
