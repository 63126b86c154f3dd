import type { Match } from "@koma/contract";
import { type BotTranslator, chooseTitle, describeOutcome, formatEpisode } from "@koma/messages";
import type { Line, Reply } from "../model/reply.ts";
import type { Chat } from "../model/request.ts";
import { actionButton, buildReply, line } from "../replies/build-reply.ts";
import { writeTarget } from "../replies/targets.ts";
import type { Shared } from "../shared.ts";
import { areAllRejected } from "./candidates.ts";
import { describeMatch, describePreview } from "./describe-match.ts";
import type { Previews } from "./previews.ts";
import { createResultButtons } from "./result-buttons.ts";
import { describeRejection, describeSurroundings } from "./result-lines.ts";
import type { ResultView } from "./result-view.ts";
import type { Result } from "./saved-results.ts";
import { listEngineButtons } from "./search-engines.ts";

/** Creates the replies that show results. */
export type ResultReplies = ReturnType<typeof createResultReplies>;

export function createResultReplies(
  { platform, translatorFor, replyPrivately, settings, tagOf }: Shared,
  previews: Previews,
) {
  const buttons = createResultButtons(tagOf);

  return {
    listOccurrences,
    /** The reply that shows a result with its page and confirmation. */
    async show(found: Result, view: ResultView): Promise<Reply> {
      const { person, chat, isPrivate } = view;
      const isAlone = view.isAlone === true || chat.kind === "direct";
      const result = isAlone || view.isNew === true ? found : await previews.refresh(found);
      const translator = await translatorFor({ person, chat, isPrivate });
      const { matches } = result.content;
      const match = matches[result.page - 1] ?? matches[0];
      const isUncertain = matches[0]?.isConfident !== true && !result.isOpened;
      if (match === undefined || isUncertain) return replyUncertain(result, view, translator);
      if (!match.anime.isAdult || isAlone) {
        const canShare = view.isAlone === true && (await isShareable(match, chat));
        return replyMatch(result, match, { ...view, canShare }, translator);
      }
      const { allowsAdult } = await settings.ofChat(chat);
      if (allowsAdult && chat.isAgeRestricted) return replyMatch(result, match, view, translator);
      const why = allowsAdult
        ? translator.t("reply.adultElsewhere.text")
        : translator.t("reply.adultElsewhere.switchedOff");
      return replyAdult(result, match, view, translator, why);
    },
  };

  /** All occurrences of the shot of a match. */
  function listOccurrences(match: Match, view: ResultView): Promise<Reply> {
    return replyPrivately(view, (translator, build) => {
      const { t, language } = translator;
      const lines = [match, ...match.otherOccurrences].map(({ episode, from, to }) => {
        const named = formatEpisode(translator, episode) ?? t("scene.episodeUnknown");
        return line(`${named} · ${t("scene.range", { from, to })}`, "item");
      });
      const title = t("reply.sameShot.title", { anime: chooseTitle(match.anime.title, language) });
      return build({ kind: "list", title, lines });
    });
  }

  /** Only Discord has private replies in a chat. A server can choose that all replies are private. */
  async function isShareable({ anime }: Match, chat: Chat): Promise<boolean> {
    if (platform !== "discord" || chat.kind === "direct") return false;
    const { allowsAdult } = await settings.ofChat(chat);
    const isAllowed = !anime.isAdult || (allowsAdult && chat.isAgeRestricted);
    return isAllowed && !(await settings.audienceAt(chat)).isPrivate;
  }

  function replyMatch(result: Result, match: Match, view: ResultView, translator: BotTranslator): Reply {
    const { t } = translator;
    const lines: Line[] = [
      ...(match.isConfident ? [] : [line(t("reply.uncertain.shown"))]),
      ...describeRejection(result, match, view, translator),
      ...describeSurroundings(result, view, translator),
    ];
    return {
      ...base(result, view, translator),
      kind: match.isConfident ? "match" : "uncertain",
      title: chooseTitle(match.anime.title, translator.language),
      lines,
      match: describeMatch(result, match, translator),
      preview: previews.describe(result, match, describePreview(result, match, translator)),
      searchedImageUrl: findSearchedImage(result, match, view),
      buttons: [
        ...buttons.pageButtons(result, view, translator),
        [
          ...buttons.confirmButtons(result, match, translator),
          ...buttons.addressButtons(match),
          buttons.deleteButton(result, translator),
        ],
        [
          ...buttons.moreButtons(result, view, translator),
          ...buttons.occurrenceButtons(result, match, translator),
          ...buttons.shareButtons(result, view, translator),
        ],
        ...buttons.albumButtons(result, view, translator),
        areAllRejected(result) ? [buttons.correctButton(result, translator)] : [],
        areAllRejected(result) ? listEngineButtons(result.content.imageUrl) : [],
      ].filter((row) => row.length > 0),
    };
  }

  /** The reply without a certain scene: the closest ones are shown by a button. */
  function replyUncertain(result: Result, view: ResultView, translator: BotTranslator): Reply {
    const { outcome, matches, imageUrl } = result.content;
    const isAbsent = outcome === "not_in_library" || matches.length === 0;
    const { title, text } = describeOutcome(translator, isAbsent ? "not_in_library" : "uncertain");
    const target = writeTarget("m", result.id, tagOf(view.person.id));
    const more = actionButton("more", translator.t("button.more"), target);
    return {
      ...base(result, view, translator),
      kind: isAbsent ? "none" : "uncertain",
      title,
      lines: [
        line(text),
        line(translator.t("reply.tip"), "quiet"),
        ...describeSurroundings(result, view, translator),
      ],
      searchedImageUrl: matches.length === 0 ? undefined : findSearchedImage(result, undefined, view),
      buttons: [
        [...(matches.length === 0 ? [] : [more]), buttons.deleteButton(result, translator)],
        ...buttons.albumButtons(result, view, translator),
        listEngineButtons(imageUrl),
      ],
    };
  }

  /** Shows nothing of the match publicly; the requester gets it privately. */
  function replyAdult(
    result: Result,
    match: Match,
    view: ResultView,
    translator: BotTranslator,
    why: string,
  ): Reply {
    const { t } = translator;
    const show = actionButton("show", t("button.show"), writeTarget("s", result.id, tagOf(view.person.id)));
    const alone: ResultView = { ...view, isPrivate: true };
    const whole = replyMatch(result, match, alone, translator);
    const note = line(t("reply.adultElsewhere.private"), "quiet");
    return {
      ...base(result, view, translator),
      kind: "adult",
      title: t("reply.adultElsewhere.title"),
      lines: [line(why)],
      privately: { ...whole, isPrivate: true, lines: [...whole.lines, note] },
      buttons: [
        ...buttons.pageButtons(result, view, translator),
        [show, buttons.deleteButton(result, translator)],
        ...buttons.albumButtons(result, view, translator),
      ],
    };
  }

  function base(result: Result, { person, isPrivate }: ResultView, translator: BotTranslator): Reply {
    return buildReply(translator, person, { kind: "match", isPrivate, resultId: result.id });
  }
}

/** The address of the searched image for a public reply; never of a spoiler or beside an adult match. */
function findSearchedImage(
  { content }: Result,
  match: Match | undefined,
  { isPrivate, isAlone, chat }: ResultView,
): string | undefined {
  const { showsImage, hasSpoiler, imageUrl, matches } = content;
  const isPublic = !isPrivate && isAlone !== true && chat.kind !== "direct";
  const isAdult = [matches[0], match].some((one) => one?.anime.isAdult === true);
  return showsImage && isPublic && !hasSpoiler && !isAdult ? imageUrl : undefined;
}
