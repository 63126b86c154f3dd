import type { Match } from "@koma/contract";
import type { BotTranslator } from "@koma/messages";
import type { Button } from "../model/reply.ts";
import { actionButton, linkButton } from "../replies/build-reply.ts";
import { writeTarget } from "../replies/targets.ts";
import { isRejected, listCandidates } from "./candidates.ts";
import { listLinks } from "./describe-match.ts";
import type { ResultView } from "./result-view.ts";
import type { Result } from "./saved-results.ts";

/** Creates the buttons of results; `tagOf` names the person that a button is restricted to. */
export function createResultButtons(tagOf: (personId: string) => string) {
  return {
    pageButtons,
    confirmButtons,
    moreButtons,
    occurrenceButtons,
    shareButtons,
    correctButton,
    deleteButton,
    albumButtons,
    addressButtons,
  };

  function pageButtons(result: Result, { person }: ResultView, { t }: BotTranslator): Button[][] {
    const count = listCandidates(result).length;
    if (count < 2) return [];
    const to = (page: number) => writeTarget("p", result.id, page, tagOf(person.id));
    return [
      [
        actionButton("previous", t("button.previous"), to(result.page - 1), {
          isDisabled: result.page <= 1,
        }),
        actionButton("next", t("button.next"), to(result.page + 1), { isDisabled: result.page >= count }),
      ],
    ];
  }

  function confirmButtons(result: Result, match: Match, translator: BotTranslator): Button[] {
    const { t } = translator;
    const isRight = result.confirmedRank === match.rank;
    const target = writeTarget("y", result.id, match.rank);
    const state = { isActive: isRight, isDisabled: isRight };
    return [actionButton("right", t("button.right"), target, state), wrongButton(result, match, translator)];
  }

  function wrongButton(result: Result, match: Match, { t }: BotTranslator): Button {
    const isWrong = isRejected(result, match);
    const state = { isActive: isWrong, isDisabled: isWrong };
    return actionButton("wrong", t("button.wrong"), writeTarget("n", result.id, match.rank), state);
  }

  /** Buttons that show the remaining candidates. */
  function moreButtons(result: Result, { person }: ResultView, { t }: BotTranslator): Button[] {
    const count = result.content.matches.length - listCandidates(result).length;
    if (count === 0) return [];
    const target = writeTarget("m", result.id, tagOf(person.id));
    return [actionButton("more", t("button.lookAlikes", { count }), target)];
  }

  /** The button that lists the other occurrences of the shot. */
  function occurrenceButtons(result: Result, match: Match, { t }: BotTranslator): Button[] {
    if (match.otherOccurrences.length === 0) return [];
    return [actionButton("occurrences", t("button.sameShot"), writeTarget("o", result.id, match.rank))];
  }

  /** The button that posts a private result for all, once. */
  function shareButtons({ id, content }: Result, { canShare }: ResultView, { t }: BotTranslator): Button[] {
    if (canShare !== true) return [];
    const state = { isActive: content.isShared, isDisabled: content.isShared };
    return [actionButton("share", t("button.share"), writeTarget("h", id), state)];
  }

  /** The button that lets the requester say what the image shows. */
  function correctButton(result: Result, { t }: BotTranslator): Button {
    return actionButton("correct", t("button.correct"), writeTarget("k", result.id));
  }

  function deleteButton(result: Result, { t }: BotTranslator): Button {
    return actionButton("delete", t("button.delete"), writeTarget("d", result.personKey.slice(0, 8)));
  }

  function albumButtons(result: Result, { album, person }: ResultView, { t }: BotTranslator): Button[][] {
    if (album === undefined || album.pictures.length < 2 || result.albumIndex === null) return [];
    const index = result.albumIndex;
    const to = (other: number) => writeTarget("a", album.id, other, tagOf(person.id));
    return [
      [
        ...(index > 0 ? [actionButton("previous-picture", t("button.previousPicture"), to(index - 1))] : []),
        ...(index + 1 < album.pictures.length
          ? [actionButton("next-picture", t("button.nextPicture"), to(index + 1))]
          : []),
        actionButton("images", t("button.allPictures"), writeTarget("l", album.id, tagOf(person.id))),
      ],
    ];
  }
}

function addressButtons(match: Match): Button[] {
  const [first] = listLinks(match);
  return first === undefined ? [] : [linkButton("open", first.label, first.url)];
}
