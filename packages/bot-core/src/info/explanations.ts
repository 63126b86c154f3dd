import type { BotTranslator } from "@koma/messages";
import type { LeakOutcome } from "../model/bot-core.ts";
import type { Line, Reply } from "../model/reply.ts";
import type { Requester } from "../model/request.ts";
import { buildReply, line } from "../replies/build-reply.ts";
import type { Shared } from "../shared.ts";

/** Replies that explain: help, privacy, and the warning about a leaked key. */
export function createExplanations({
  platform,
  seesAllMessages,
  translatorFor,
  replyPrivately,
  api,
}: Pick<Shared, "platform" | "seesAllMessages" | "translatorFor" | "replyPrivately" | "api">) {
  /** A reaction is of use only where the bot can read the message below it. */
  const servesReactions = platform === "discord" && seesAllMessages !== false;

  return {
    help: (request: Requester): Promise<Reply> =>
      replyPrivately(request, (translator, build) => {
        const { t } = translator;
        const isTelegram = platform === "telegram";
        return build({
          kind: "text",
          title: t("help.title"),
          lines: [
            line(t("help.intro")),
            line(t("help.ways.title"), "heading"),
            line(t("help.ways.direct"), "item"),
            line(t("help.ways.command"), "item"),
            ...(isTelegram
              ? [line(t("help.ways.reply"), "item"), line(t("help.ways.inline"), "item")]
              : [line(t("help.ways.menu"), "item"), line(t("help.ways.mention"), "item")]),
            ...(servesReactions ? [line(t("help.ways.reaction"), "item")] : []),
            ...(isTelegram ? explainWords(translator) : []),
            line(t("help.answer.title"), "heading"),
            line(t("help.answer.similarity")),
            line(t("help.answer.buttons", { right: t("button.right"), wrong: t("button.wrong") })),
            line(t("help.tips.title"), "heading"),
            line(t("help.tips.text")),
            line(t("help.limits.title"), "heading"),
            line(t("help.limits.text")),
            line(t("help.commands")),
            line(t("help.more"), "quiet"),
          ],
        });
      }),

    /** The message after the bot was added to a chat. */
    async welcome({ person, chat }: Requester): Promise<Reply> {
      const translator = await translatorFor({ person, chat });
      const { t } = translator;
      const ways = platform === "telegram" ? t("help.ways.reply") : t("help.ways.mention");
      return buildReply(translator, person, {
        kind: "text",
        title: t("help.title"),
        lines: [
          line(t("help.welcome")),
          line(t("help.ways.command"), "item"),
          line(ways, "item"),
          line(t("help.managers")),
          line(t("help.more"), "quiet"),
        ],
      });
    },

    privacy: (request: Requester): Promise<Reply> =>
      replyPrivately(request, async ({ t }, build) => {
        const parts = ["engines", "searches", "bot", "top", "messages", "delete"] as const;
        const { services, missingDays } = await readSite();
        const explain = (title: string, text: string) => [line(title, "heading"), line(text)];
        return build({
          kind: "text",
          title: t("privacy.title"),
          lines: [
            ...explain(t("privacy.picture.title"), t("privacy.picture.text")),
            ...(services.length === 0
              ? []
              : explain(t("privacy.upstreams.title"), t("privacy.upstreams.text", { services }))),
            ...(missingDays === 0
              ? []
              : explain(t("privacy.missing.title"), t("privacy.missing.text", { days: missingDays }))),
            ...parts.flatMap((part) => explain(t(`privacy.${part}.title`), t(`privacy.${part}.text`))),
            ...(servesReactions ? [line(t("privacy.reactions"))] : []),
          ],
        });
      }),

    warnOfLeak: (request: Requester & { wasDeleted: boolean; outcome: LeakOutcome }): Promise<Reply> =>
      replyPrivately(request, ({ t }, build) => {
        const { wasDeleted, outcome } = request;
        return build({
          kind: "leak",
          title: t("reply.leakedKey.title"),
          lines: [
            line(t(wasDeleted ? "reply.leakedKey.deleted" : "reply.leakedKey.notDeleted")),
            line(t(`reply.leakedKey.${outcome}`)),
            line(t("reply.leakedKey.link")),
          ],
        });
      }),
  };

  /**
   * The names of the services that get an image that is not in the library, and the days for which its descriptor is
   * stored; neither while the API is away.
   */
  async function readSite(): Promise<{ services: string[]; missingDays: number }> {
    try {
      const { upstreams = [], missingDays = 0 } = await api.measured("getSite", () =>
        api.bot.getSite({}, { deadlineMs: 2000 }),
      );
      return { services: upstreams.map(({ name }) => name), missingDays };
    } catch {
      return { services: [], missingDays: 0 };
    }
  }
}

function explainWords({ t }: BotTranslator): Line[] {
  return [
    line(t("help.words.title"), "heading"),
    line(t("help.words.mute"), "item"),
    line(t("help.words.nocrop"), "item"),
    line(t("help.words.text"), "item"),
  ];
}
