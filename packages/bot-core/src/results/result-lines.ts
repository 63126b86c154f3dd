import type { Match } from "@koma/contract";
import type { BotTranslator } from "@koma/messages";
import type { Line } from "../model/reply.ts";
import { line } from "../replies/build-reply.ts";
import { areAllRejected, isRejected, listCandidates } from "./candidates.ts";
import type { ResultView } from "./result-view.ts";
import type { Result } from "./saved-results.ts";

/** After a rejection: the note that this is another candidate, or that none is left. */
export function describeRejection(
  result: Result,
  match: Match,
  { isAfterRejection }: ResultView,
  { t }: BotTranslator,
): Line[] {
  if (areAllRejected(result)) {
    const areAllListed = listCandidates(result).length === result.content.matches.length;
    return [line(t(areAllListed ? "reply.wrong.last" : "reply.wrong.lastLikely"))];
  }
  const isNext = isAfterRejection === true && result.confirmedRank === null && !isRejected(result, match);
  return isNext ? [line(t("reply.wrong.next"))] : [];
}

/** Additional lines: the image among several, an earlier search, the remaining credits. */
export function describeSurroundings(result: Result, view: ResultView, { t }: BotTranslator): Line[] {
  const { album, isRepeated, isPrivate, chat, person } = view;
  const { remaining, isShared } = result.content;
  const isAlone = isPrivate || chat.kind === "direct";
  const texts = [
    isShared && !isAlone && view.isAlone !== true
      ? t("reply.sharedBy", { name: person.displayName })
      : undefined,
    album !== undefined && album.pictures.length > 1 && result.albumIndex !== null
      ? t("reply.picturesTogether", { number: result.albumIndex + 1, total: album.pictures.length })
      : undefined,
    isRepeated ? t("reply.sameAsBefore") : undefined,
    isAlone && !isRepeated && remaining > 0 && remaining <= 3
      ? t("credits.remaining", { count: remaining })
      : undefined,
    isAlone && !isRepeated && remaining === 0 ? t("credits.none") : undefined,
  ];
  return texts.flatMap((text) => (text === undefined ? [] : [line(text, "quiet")]));
}
