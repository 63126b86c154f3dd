import type { Match } from "@koma/contract";
import { type BotSpeaker, chooseTitle } from "@koma/messages";
import type { Context } from "../context.ts";
import type { Button, Line, Reply } from "../model/reply.ts";
import type { Person, Place } from "../model/request.ts";
import { buildReply, line, linkButton, pressButton } from "../replies/build-reply.ts";
import { writeTarget } from "../replies/targets.ts";
import type { Album } from "./albums.ts";
import { describeMatch, describePreview, listLinks } from "./describe-match.ts";
import type { Result } from "./kept-results.ts";
import type { Previews } from "./previews.ts";

/** Who looks, where, and what is known besides. */
export type ResultView = {
  person: Person;
  place: Place;
  isPrivate: boolean;
  /** Nobody else can see the message that shows it. Unlike `isPrivate` it holds for messages that stand already. */
  isAlone?: boolean | undefined;
  album?: Album | undefined;
  /** It answers a picture that was asked before. */
  isRepeated?: boolean | undefined;
};

/** Puts results into words. */
export type ResultReplies = ReturnType<typeof createResultReplies>;

export function createResultReplies({ speak, settings, tagOf }: Context, previews: Previews) {
  return {
    /** The reply that shows a result as it stands. */
    async show(result: Result, view: ResultView): Promise<Reply> {
      const { person, place, isPrivate } = view;
      const speaker = await speak({ person, place, isPrivate });
      const { matches } = result.content;
      const match = matches[result.page - 1] ?? matches[0];
      if (match === undefined) return sayNone(result, view, speaker);
      if (matches[0]?.isConfident !== true && !result.isOpened) return sayUncertain(result, view, speaker);
      if (!match.anime.isAdult || view.isAlone || place.kind === "direct")
        return sayMatch(result, match, view, speaker);
      const { allowsAdult } = await settings.ofPlace(place);
      if (allowsAdult && place.isAgeRestricted) return sayMatch(result, match, view, speaker);
      const why = allowsAdult
        ? speaker.say("reply.adultElsewhere.text")
        : speaker.say("reply.adultElsewhere.switchedOff");
      return sayAdult(result, match, view, speaker, why);
    },
  };

  function sayMatch(result: Result, match: Match, view: ResultView, speaker: BotSpeaker): Reply {
    const { say } = speaker;
    const isSure = result.content.matches[0]?.isConfident === true;
    const lines: Line[] = [
      ...(isSure ? [] : [line(say("reply.uncertain.shown"))]),
      ...sayAround(result, view, speaker),
    ];
    return {
      ...base(result, view, speaker),
      ...{ kind: isSure ? "match" : "uncertain", title: chooseTitle(match.anime.title, speaker.language) },
      ...{ lines, match: describeMatch(result, match, speaker) },
      preview: previews.describe(result, match, describePreview(result, match, speaker)),
      buttons: [
        ...pageButtons(result, view, speaker),
        [...judgeButtons(result, match, speaker), ...addressButtons(match), deleteButton(result, speaker)],
        ...albumButtons(result, view, speaker),
      ].filter((row) => row.length > 0),
    };
  }

  function sayUncertain(result: Result, view: ResultView, speaker: BotSpeaker): Reply {
    const { say } = speaker;
    const more = pressButton("more", say("button.more"), writeTarget("m", result.id, tagOf(view.person.id)));
    return {
      ...base(result, view, speaker),
      ...{ kind: "uncertain", title: say("reply.uncertain.title") },
      lines: [
        line(say("reply.uncertain.text")),
        line(say("reply.tip"), "quiet"),
        ...sayAround(result, view, speaker),
      ],
      buttons: [
        [more, wrongButton(result, speaker), deleteButton(result, speaker)],
        ...albumButtons(result, view, speaker),
      ],
    };
  }

  function sayNone(result: Result, view: ResultView, speaker: BotSpeaker): Reply {
    const { say } = speaker;
    return {
      ...base(result, view, speaker),
      ...{ kind: "none", title: say("reply.none.title") },
      lines: [
        line(say("reply.none.text")),
        line(say("reply.tip"), "quiet"),
        ...sayAround(result, view, speaker),
      ],
      buttons: [[deleteButton(result, speaker)], ...albumButtons(result, view, speaker)],
    };
  }

  /** Says nothing of the match where anyone can read it; the asker gets it alone. */
  function sayAdult(result: Result, match: Match, view: ResultView, speaker: BotSpeaker, why: string): Reply {
    const { say } = speaker;
    const show = pressButton("show", say("button.show"), writeTarget("s", result.id, tagOf(view.person.id)));
    const alone: ResultView = { ...view, isPrivate: true };
    const whole = sayMatch(result, match, alone, speaker);
    const note = line(say("reply.adultElsewhere.private"), "quiet");
    return {
      ...base(result, view, speaker),
      ...{ kind: "adult", title: say("reply.adultElsewhere.title"), lines: [line(why)] },
      privately: { ...whole, isPrivate: true, lines: [...whole.lines, note] },
      buttons: [
        ...pageButtons(result, view, speaker),
        [show, deleteButton(result, speaker)],
        ...albumButtons(result, view, speaker),
      ],
    };
  }

  function base(result: Result, { person, isPrivate }: ResultView, speaker: BotSpeaker): Reply {
    return buildReply(speaker, person, { kind: "match", isPrivate, resultId: result.id });
  }

  function pageButtons(result: Result, { person }: ResultView, { say }: BotSpeaker): Button[][] {
    const count = result.content.matches.length;
    if (count < 2) return [];
    const to = (page: number) => writeTarget("p", result.id, page, tagOf(person.id));
    return [
      [
        pressButton("previous", say("button.previous"), to(result.page - 1), {
          isDisabled: result.page <= 1,
        }),
        pressButton("next", say("button.next"), to(result.page + 1), { isDisabled: result.page >= count }),
      ],
    ];
  }

  function judgeButtons(result: Result, match: Match, speaker: BotSpeaker): Button[] {
    const { say } = speaker;
    const isRight = result.confirmedRank === match.rank;
    const target = writeTarget("y", result.id, match.rank);
    const state = { isActive: isRight, isDisabled: isRight };
    return [pressButton("right", say("button.right"), target, state), wrongButton(result, speaker)];
  }

  function wrongButton(result: Result, { say }: BotSpeaker): Button {
    const isWrong = result.confirmedRank === 0;
    const state = { isActive: isWrong, isDisabled: isWrong };
    return pressButton("wrong", say("button.wrong"), writeTarget("y", result.id, 0), state);
  }

  function deleteButton(result: Result, { say }: BotSpeaker): Button {
    return pressButton("delete", say("button.delete"), writeTarget("d", result.personKey.slice(0, 8)));
  }

  function albumButtons(result: Result, { album, person }: ResultView, { say }: BotSpeaker): Button[][] {
    if (album === undefined || album.pictures.length < 2 || result.albumIndex === null) return [];
    const index = result.albumIndex;
    const to = (other: number) => writeTarget("a", album.id, other, tagOf(person.id));
    return [
      [
        ...(index > 0 ? [pressButton("previous-picture", say("button.previousPicture"), to(index - 1))] : []),
        ...(index + 1 < album.pictures.length
          ? [pressButton("next-picture", say("button.nextPicture"), to(index + 1))]
          : []),
      ],
    ];
  }

  /** Small print: which picture of several, asked before, what is left. */
  function sayAround(result: Result, view: ResultView, { say }: BotSpeaker): Line[] {
    const { album, isRepeated, isPrivate, place } = view;
    const { remaining } = result.content;
    const isAlone = isPrivate || place.kind === "direct";
    const texts = [
      album !== undefined && album.pictures.length > 1 && result.albumIndex !== null
        ? say("reply.picturesTogether", { number: result.albumIndex + 1, total: album.pictures.length })
        : undefined,
      isRepeated ? say("reply.sameAsBefore") : undefined,
      isAlone && !isRepeated && remaining > 0 && remaining <= 3
        ? say("credits.remaining", { count: remaining })
        : undefined,
      isAlone && !isRepeated && remaining === 0 ? say("credits.none") : undefined,
    ];
    return texts.flatMap((text) => (text === undefined ? [] : [line(text, "quiet")]));
  }
}

function addressButtons(match: Match): Button[] {
  const [first] = listLinks(match);
  return first === undefined ? [] : [linkButton("open", first.label, first.url)];
}
