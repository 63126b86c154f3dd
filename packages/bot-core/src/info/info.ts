import { type Anime, RankingPeriod } from "@koma/contract";
import { type BotTranslator, chooseSecondTitle, chooseTitle, formatEpisode } from "@koma/messages";
import { withOwnKey } from "../accounts/refused-key.ts";
import type { Line, Menu, Reply } from "../model/reply.ts";
import type { Chat, Person, Requester } from "../model/request.ts";
import { withReason } from "../process/with-reason.ts";
import {
  actionButton,
  buildReply,
  itemLine,
  line,
  linkButton,
  type ReplyParts,
} from "../replies/build-reply.ts";
import { writeTarget } from "../replies/targets.ts";
import { formatWork, listLinks } from "../results/describe-match.ts";
import type { Shared } from "../shared.ts";

/** Replies about the searches of all users and about the requester's credits. */
export type Info = ReturnType<typeof createInfo>;

const shownEntries = 10;
/** Telegram drops an inline query that is answered later. */
const titleDeadlineMs = 5_000;

export function createInfo({
  api,
  accounts,
  translatorFor,
  replyPrivately,
  replyInChat,
  hasMoreWithAccount,
  tagOf,
  measure,
  log,
}: Shared) {
  return {
    rankings: (request: Requester & { period?: string | undefined }): Promise<Reply> =>
      measured(request, async (translator, build) => {
        const { person } = request;
        const { t } = translator;
        const requestedPeriod = RankingPeriod.safeParse(request.period).data ?? "all";
        const { period, entries } = await api.measured("getRankings", () =>
          api.bot.getRankings({ period: requestedPeriod, limit: shownEntries }),
        );
        const lines = entries.map(({ rank, anime, searches }) =>
          itemLine(
            t("reply.rankings.entry", { rank, anime: chooseTitle(anime.title, translator.language) }),
            t("reply.rankings.searches", { count: searches }),
          ),
        );
        return build({
          kind: "list",
          title: `${t("reply.rankings.title")} · ${t(`reply.rankings.period.${period}`)}`,
          lines: lines.length > 0 ? lines : [line(t("reply.rankings.empty"))],
          menus: [choosePeriod(translator, person, period)],
        });
      }),

    recent: (request: Requester): Promise<Reply> =>
      measured(request, async (translator, build) => {
        const { t } = translator;
        const { items } = await api.measured("getRecentSearches", () =>
          api.bot.getRecentSearches({ limit: shownEntries }),
        );
        const lines = items.map(({ anime, episode, timestamp, confirmedAt }) =>
          itemLine(
            chooseTitle(anime.title, translator.language),
            formatEpisode(translator, episode),
            translator.formatTime(timestamp),
            t("reply.recent.when", { at: new Date(confirmedAt) }),
          ),
        );
        return build({
          kind: "list",
          title: t("reply.recent.title"),
          lines: lines.length > 0 ? lines : [line(t("reply.recent.empty"))],
        });
      }),

    /** Never throws: without the API there are no titles. */
    async findTitles(request: { person: Person; query: string; limit: number }): Promise<Reply[]> {
      const { person, query, limit } = request;
      const translator = await translatorFor({ person });
      try {
        const { items } = await api.measured("findAnime", () =>
          api.bot.findAnime({ query: query.slice(0, 200), limit }, { deadlineMs: titleDeadlineMs }),
        );
        const shown = items.filter(({ isAdult }) => !isAdult);
        return shown.map((anime) => describeAnime(anime, translator, person));
      } catch (error) {
        log("warn", withReason("Titles could not be searched", error));
        return [];
      }
    },

    /** The person's remaining credits; always private. */
    credits: (request: Requester): Promise<Reply> =>
      replyPrivately(request, async (translator, build) => {
        const { person, chat } = request;
        const own = await accounts.find(person);
        if (own === undefined) return build(await describeGuestQuota(translator, person, chat));
        const { t } = translator;
        const { remaining, free, purchased, hourly } = await withOwnKey(own, () =>
          api.measured("getCredits", () => api.withKey(own.key).getCredits()),
        );
        return build({
          kind: "credits",
          title: t("credits.title"),
          lines: [
            describeRemaining(translator, remaining),
            line(t("credits.free", free), "item"),
            line(t("credits.purchased", { count: purchased.remaining }), "item"),
            line(t("credits.hourly", hourly), "item"),
            line(t("credits.resets", { at: new Date(free.resetsAt) }), "quiet"),
            line(t("link.since", { at: own.linkedAt }), "quiet"),
          ],
          retryAt: remaining === 0 ? new Date(free.resetsAt) : undefined,
        });
      }),
  };

  function describeAnime(anime: Anime, translator: BotTranslator, person: Person): Reply {
    const { t, language } = translator;
    const facts = [chooseSecondTitle(anime.title, language), formatWork(translator, anime)];
    return buildReply(translator, person, {
      kind: "list",
      title: chooseTitle(anime.title, language),
      lines: [
        ...facts.flatMap((text) => (text === undefined ? [] : [line(text)])),
        line(t("reply.inline.library"), "quiet"),
      ],
      buttons: [listLinks({ anime }).map(({ label, url }) => linkButton("open", label, url))],
    });
  }

  async function describeGuestQuota(
    translator: BotTranslator,
    person: Person,
    chat: Chat,
  ): Promise<ReplyParts> {
    const { t } = translator;
    const headers = api.headersFor(person, chat, false);
    const quota = await api.measured("getQuota", () => api.bot.getQuota({}, { headers }));
    const resetsAt = new Date(quota.resetsAt);
    return {
      kind: "credits",
      title: t("credits.title"),
      lines: [
        describeRemaining(translator, quota.remaining),
        line(t("credits.guest", quota), "item"),
        line(t("credits.resets", { at: resetsAt }), "quiet"),
        ...((await hasMoreWithAccount()) ? [line(t("credits.linkForMore"))] : []),
      ],
      buttons: [[actionButton("link", t("button.link"), writeTarget("link"))]],
      retryAt: quota.remaining === 0 ? resetsAt : undefined,
    };
  }

  function choosePeriod({ t }: BotTranslator, person: Person, chosen: RankingPeriod): Menu {
    return {
      kind: "one",
      target: writeTarget("R"),
      label: t(`reply.rankings.period.${chosen}`),
      values: [],
      options: RankingPeriod.options.map((period) => ({
        target: writeTarget("r", period, tagOf(person.id)),
        label: t(`reply.rankings.period.${period}`),
        description: undefined,
        isChosen: period === chosen,
      })),
    };
  }

  async function measured(...request: Parameters<typeof replyInChat>): Promise<Reply> {
    const reply = await replyInChat(...request);
    measure({ name: "command", label: reply.kind });
    return reply;
  }

  function describeRemaining({ t }: BotTranslator, count: number): Line {
    return line(count === 0 ? t("credits.none") : t("credits.remaining", { count }));
  }
}
