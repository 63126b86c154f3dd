import type { BotSpeaker } from "@koma/messages";
import type { Context } from "../context.ts";
import type { Line, Reply } from "../model/reply.ts";
import type { Person, Place } from "../model/request.ts";
import { buildReply, line } from "../replies/build-reply.ts";

type Asked = { person: Person; place: Place };

/** Help, privacy, and the warning about a key: what needs nothing of the API. */
export function createExplanations({ platform, speak }: Context) {
  return {
    async help({ person, place }: Asked): Promise<Reply> {
      const speaker = await speak({ person, place, isPrivate: true });
      const { say } = speaker;
      const isTelegram = platform === "telegram";
      return buildReply(speaker, person, {
        ...{ kind: "text", isPrivate: true, title: say("help.title") },
        lines: [
          line(say("help.intro")),
          line(say("help.ways.title"), "heading"),
          line(say("help.ways.direct"), "item"),
          line(say("help.ways.command"), "item"),
          ...(isTelegram
            ? [line(say("help.ways.reply"), "item"), line(say("help.ways.inline"), "item")]
            : [line(say("help.ways.menu"), "item"), line(say("help.ways.mention"), "item")]),
          ...(isTelegram ? explainWords(speaker) : []),
          line(say("help.answer.title"), "heading"),
          line(say("help.answer.similarity")),
          line(say("help.answer.buttons", { right: say("button.right"), wrong: say("button.wrong") })),
          line(say("help.tips.title"), "heading"),
          line(say("help.tips.text")),
          line(say("help.limits.title"), "heading"),
          line(say("help.limits.text")),
          line(say("help.more"), "quiet"),
        ],
      });
    },

    async privacy({ person, place }: Asked): Promise<Reply> {
      const speaker = await speak({ person, place, isPrivate: true });
      const { say } = speaker;
      const parts = ["picture", "searches", "bot", "messages", "delete"] as const;
      return buildReply(speaker, person, {
        ...{ kind: "text", isPrivate: true, title: say("privacy.title") },
        lines: parts.flatMap((part) => [
          line(say(`privacy.${part}.title`), "heading"),
          line(say(`privacy.${part}.text`)),
        ]),
      });
    },

    async warnOfLeak({ person, place, wasDeleted }: Asked & { wasDeleted: boolean }): Promise<Reply> {
      const speaker = await speak({ person, place, isPrivate: true });
      const { say } = speaker;
      return buildReply(speaker, person, {
        ...{ kind: "leak", isPrivate: true, title: say("reply.leakedKey.title") },
        lines: [
          line(say(wasDeleted ? "reply.leakedKey.textDeleted" : "reply.leakedKey.textNotDeleted")),
          line(say("reply.leakedKey.link")),
        ],
      });
    },
  };
}

function explainWords({ say }: BotSpeaker): Line[] {
  return [
    line(say("help.words.title"), "heading"),
    line(say("help.words.mute"), "item"),
    line(say("help.words.nocrop"), "item"),
    line(say("help.words.text"), "item"),
  ];
}
