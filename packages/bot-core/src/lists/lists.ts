import { RankingPeriod } from "@koma/contract";
import { type BotSpeaker, chooseTitle, sayEpisode } from "@koma/messages";
import type { Context } from "../context.ts";
import type { Line, Menu, Reply } from "../model/reply.ts";
import type { Person, Place } from "../model/request.ts";
import { withOwnKey } from "../people/refused-key.ts";
import { buildReply, line, pressButton } from "../replies/build-reply.ts";
import type { Guard } from "../replies/guard.ts";
import { writeTarget } from "../replies/targets.ts";

/** What is told of all searches, and of one's own credits. */
export type Lists = ReturnType<typeof createLists>;

type Asked = { person: Person; place: Place };

const shownEntries = 10;

export function createLists(context: Context, guard: Guard) {
  const { api, accounts, settings, speak, tagOf } = context;

  return {
    rankings: (request: Asked & { period?: string | undefined }): Promise<Reply> =>
      inPlace(request, async (speaker, isPrivate) => {
        const { person } = request;
        const { say } = speaker;
        const wanted = RankingPeriod.safeParse(request.period).data ?? "all";
        const { period, entries } = await api.measured("getRankings", () =>
          api.bot.getRankings({ period: wanted, limit: shownEntries }),
        );
        const lines = entries.map(({ rank, anime, searches }): Line => {
          const name = say("reply.rankings.entry", {
            rank,
            anime: chooseTitle(anime.title, speaker.language),
          });
          const count = say("reply.rankings.searches", { count: searches });
          return { style: "item", spans: [{ text: name, style: "strong" }, { text: ` · ${count}` }] };
        });
        return buildReply(speaker, person, {
          ...{ kind: "list", isPrivate },
          title: `${say("reply.rankings.title")} · ${say(`reply.rankings.period.${period}`)}`,
          lines: lines.length > 0 ? lines : [line(say("reply.rankings.empty"))],
          menus: [choosePeriod(speaker, person, period)],
        });
      }),

    recent: (request: Asked): Promise<Reply> =>
      inPlace(request, async (speaker, isPrivate) => {
        const { say } = speaker;
        const { items } = await api.measured("getRecentSearches", () =>
          api.bot.getRecentSearches({ limit: shownEntries }),
        );
        const lines = items.map(({ anime, episode, timestamp, confirmedAt }): Line => {
          const title = chooseTitle(anime.title, speaker.language);
          const rest = [
            sayEpisode(speaker, episode),
            speaker.formatTime(timestamp),
            say("reply.recent.when", { at: new Date(confirmedAt) }),
          ].filter((part) => part !== undefined);
          return {
            style: "item",
            spans: [{ text: title, style: "strong" }, { text: ` · ${rest.join(" · ")}` }],
          };
        });
        return buildReply(speaker, request.person, {
          ...{ kind: "list", isPrivate, title: say("reply.recent.title") },
          lines: lines.length > 0 ? lines : [line(say("reply.recent.empty"))],
        });
      }),

    /** What the person has left: always for the person alone. */
    credits: (request: Asked): Promise<Reply> =>
      guard(request, async () => {
        const { person, place } = request;
        const speaker = await speak({ ...request, isPrivate: true });
        const own = await accounts.find(person);
        if (own === undefined) return await sayGuestQuota(speaker, person, place);
        const { say } = speaker;
        const { remaining, free, purchased, hourly } = await withOwnKey(own, () =>
          api.measured("getCredits", () => api.withKey(own.key).getCredits()),
        );
        return buildReply(speaker, person, {
          ...{ kind: "credits", isPrivate: true, title: say("credits.title") },
          lines: [
            sayRemaining(speaker, remaining),
            line(say("credits.free", free), "item"),
            line(say("credits.purchased", { count: purchased.remaining }), "item"),
            line(say("credits.hourly", hourly), "item"),
            line(say("credits.resets", { at: new Date(free.resetsAt) }), "quiet"),
            line(say("link.since", { at: own.linkedAt }), "quiet"),
          ],
          retryAt: remaining === 0 ? new Date(free.resetsAt) : undefined,
        });
      }),
  };

  async function sayGuestQuota(speaker: BotSpeaker, person: Person, place: Place): Promise<Reply> {
    const { say } = speaker;
    const headers = api.headersFor(person, place, false);
    const quota = await api.measured("getQuota", () => api.bot.getQuota({}, { headers }));
    const resetsAt = new Date(quota.resetsAt);
    return buildReply(speaker, person, {
      ...{ kind: "credits", isPrivate: true, title: say("credits.title") },
      lines: [
        sayRemaining(speaker, quota.remaining),
        line(say("credits.guest", quota), "item"),
        line(say("credits.resets", { at: resetsAt }), "quiet"),
        line(say("credits.linkForMore")),
      ],
      buttons: [[pressButton("link", say("button.link"), writeTarget("link"))]],
      retryAt: quota.remaining === 0 ? resetsAt : undefined,
    });
  }

  function choosePeriod({ say }: BotSpeaker, person: Person, chosen: RankingPeriod): Menu {
    return {
      ...{ kind: "one", target: writeTarget("R"), label: say(`reply.rankings.period.${chosen}`), values: [] },
      options: RankingPeriod.options.map((period) => ({
        ...{
          target: writeTarget("r", period, tagOf(person.id)),
          label: say(`reply.rankings.period.${period}`),
        },
        ...{ description: undefined, isChosen: period === chosen },
      })),
    };
  }

  async function inPlace(
    { person, place }: Asked,
    work: (speaker: BotSpeaker, isPrivate: boolean) => Promise<Reply>,
  ): Promise<Reply> {
    const { isPrivate } = await settings.audienceAt(place);
    const reader = { person, place, isPrivate };
    const reply = await guard(reader, async () => work(await speak(reader), reader.isPrivate));
    context.measure({ name: "command", label: reply.kind });
    return reply;
  }

  function sayRemaining({ say }: BotSpeaker, count: number): Line {
    return line(count === 0 ? say("credits.none") : say("credits.remaining", { count }));
  }
}
