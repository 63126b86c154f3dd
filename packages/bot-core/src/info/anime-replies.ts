import type { Anime } from "@koma/contract";
import { type BotTranslator, chooseSecondTitle, chooseTitle, formatEpisode } from "@koma/messages";
import { prepareImage } from "../image/prepare-image.ts";
import type { ActionResult, Line, Menu, Preview, PreviewFile, Reply } from "../model/reply.ts";
import type { ActionRequest, Chat, Person, Requester } from "../model/request.ts";
import { actionButton, line, linkButton, type ReplyParts } from "../replies/build-reply.ts";
import { isProblem } from "../replies/problem-reply.ts";
import { writeTarget } from "../replies/targets.ts";
import { formatWork, listLinks } from "../results/describe-match.ts";
import type { Shared } from "../shared.ts";
import { canShowAnime, hasTitle } from "./can-show-anime.ts";

const choiceLimit = 10;
const momentLimit = 3;
/** The most that the API lists. */
const sceneLimit = 50;
const buttonsPerRow = 4;
const deadlineMs = 10_000;
/** Shorter words of a title are in too many others. */
const wordLength = 3;

/** Replies about one anime of the library. */
export type AnimeReplies = ReturnType<typeof createAnimeReplies>;

export function createAnimeReplies({ api, settings, replyInChat, tagOf }: Shared) {
  return {
    /** The anime with this title, a choice of several, or those with similar titles. */
    find: ({ person, chat, title }: Requester & { title: string }): Promise<Reply> =>
      replyInChat({ person, chat }, async (translator, build) => {
        const { t } = translator;
        const query = title
          .replace(/\p{Cc}/gu, " ")
          .trim()
          .slice(0, 200);
        if (query === "") return build({ kind: "text", title: t("reply.anime.usage") });
        const found = await search(query, chat);
        const exact = found.filter((anime) => hasTitle(anime, query));
        const [only] = exact.length === 1 ? exact : found.length === 1 ? found : [];
        if (only !== undefined) return build(await describe(only, person, translator));
        const near = found.length > 0 ? [] : await searchWords(query, chat);
        const listed = found.length > 0 ? found : near;
        const isNone = found.length === 0;
        return build({
          kind: "list",
          title: isNone ? t("reply.anime.none.title") : t("reply.anime.several"),
          lines: isNone
            ? [
                line(t("reply.anime.none.text", { title: query })),
                ...(near.length > 0 ? [line(t("reply.anime.near"))] : []),
              ]
            : [],
          menus: listed.length === 0 ? [] : [chooseAnime(listed, person, translator)],
          buttons: [[actionButton("delete", t("button.delete"), writeTarget("d", tagOf(person.id)))]],
        });
      }),

    /** Shows an anime that was chosen. */
    async choose({ person, chat }: ActionRequest, animeId: string): Promise<ActionResult> {
      const reply = await replyInChat({ person, chat }, async (translator, build) => {
        const { items } = await api.measured("findAnime", () =>
          api.bot.findAnime({ animeId }, { deadlineMs }),
        );
        const [anime] = await filterAdult(items, chat);
        if (anime !== undefined) return build(await describe(anime, person, translator));
        return build({ kind: "expired", isPrivate: true, title: translator.t("reply.gone") });
      });
      return { kind: isProblem(reply) ? "private" : "update", reply };
    },
  };

  async function search(query: string, chat: Chat): Promise<Anime[]> {
    const { items } = await api.measured("findAnime", () =>
      api.bot.findAnime({ query, limit: choiceLimit }, { deadlineMs }),
    );
    return await filterAdult(items, chat);
  }

  /** The anime that have one of the longest words of a title. */
  async function searchWords(title: string, chat: Chat): Promise<Anime[]> {
    const words = title.split(/[\s\p{P}]+/u).filter((word) => word.length >= wordLength && word !== title);
    for (const word of words.toSorted((one, other) => other.length - one.length).slice(0, 3)) {
      const found = await search(word, chat);
      if (found.length > 0) return found;
    }
    return [];
  }

  /** Anime for adults are named only where their scenes are shown. */
  async function filterAdult(items: readonly Anime[], chat: Chat): Promise<Anime[]> {
    const chosen = await settings.ofChat(chat);
    return items.filter((anime) => canShowAnime(anime, chat, chosen));
  }

  function chooseAnime(found: readonly Anime[], person: Person, translator: BotTranslator): Menu {
    return {
      kind: "one",
      target: writeTarget("W"),
      label: translator.t("reply.anime.several"),
      values: [],
      options: found.map((anime) => ({
        target: writeTarget("w", anime.id, tagOf(person.id)),
        label: chooseTitle(anime.title, translator.language),
        description: formatWork(translator, anime),
        isChosen: false,
      })),
    };
  }

  async function describe(anime: Anime, person: Person, translator: BotTranslator): Promise<ReplyParts> {
    const { t, language } = translator;
    const [holdings, moments] = await Promise.all([
      describeHoldings(anime, translator),
      describeMoments(anime, translator),
    ]);
    const facts = [chooseSecondTitle(anime.title, language), formatWork(translator, anime)];
    const links = [
      ...(anime.links ?? []).map(({ site, url }) => linkButton("open", site, url)),
      ...listLinks({ anime }).map(({ label, url }) => linkButton("open", label, url)),
    ];
    return {
      kind: "list",
      title: chooseTitle(anime.title, language),
      lines: [
        ...facts.flatMap((text) => (text === undefined ? [] : [line(text)])),
        line(holdings, "quiet"),
        ...(moments.length > 0 ? [line(t("reply.anime.moments"), "heading"), ...moments] : []),
      ],
      preview: describeCover(anime),
      buttons: [
        ...Array.from({ length: Math.ceil(links.length / buttonsPerRow) }, (_, row) =>
          links.slice(row * buttonsPerRow, (row + 1) * buttonsPerRow),
        ),
        [actionButton("delete", t("button.delete"), writeTarget("d", tagOf(person.id)))],
      ],
    };
  }

  /** The number of indexed episodes, where the operator has published the library. */
  async function describeHoldings(anime: Anime, { t }: BotTranslator): Promise<string> {
    const query = anime.title.romaji ?? anime.title.english ?? anime.title.native ?? "";
    const { items } = await api
      .measured("listLibrary", () =>
        api.bot.listLibrary({ query: query.slice(0, 200), includeAdult: true }, { deadlineMs }),
      )
      .catch(() => ({ items: [] }));
    const held = items.find((item) => item.anime.id === anime.id);
    return held === undefined
      ? t("reply.inline.library")
      : t("reply.anime.episodes", { count: held.episodeCount });
  }

  /** The scenes of the anime that most people found and confirmed publicly. */
  async function describeMoments({ id }: Anime, translator: BotTranslator): Promise<Line[]> {
    const { entries } = await api
      .measured("getSceneRankings", () => api.bot.getSceneRankings({ limit: sceneLimit }, { deadlineMs }))
      .catch(() => ({ entries: [] }));
    return entries
      .filter(({ anime }) => anime.id === id)
      .slice(0, momentLimit)
      .map(({ episode, timestamp, searches }) => {
        const parts = [
          formatEpisode(translator, episode),
          translator.formatTime(timestamp),
          translator.t("reply.rankings.searches", { count: searches }),
        ];
        return line(parts.filter((part) => part !== undefined).join(" · "), "item");
      });
  }

  function describeCover({ id: animeId, title, coverPath }: Anime): Preview | undefined {
    const file = coverPath?.split("/").at(-1);
    if (file === undefined) return undefined;
    return {
      variant: "still",
      isMuted: false,
      hasSpoiler: false,
      description: chooseTitle(title, "en"),
      key: `cover.${animeId}.${file}`,
      clip: async () => undefined,
      still: async (limitBytes) => {
        const cover = await fetchCover(animeId, file).catch(() => undefined);
        return cover !== undefined && cover.bytes.length <= limitBytes ? cover : undefined;
      },
    };
  }

  async function fetchCover(animeId: string, file: string): Promise<PreviewFile> {
    const blob = await api.measured("getCover", () => api.bot.getCover({ animeId, file }, { deadlineMs }));
    // Covers are WebP, which Telegram turns into a sticker.
    const signal = AbortSignal.timeout(deadlineMs);
    const options = { frame: undefined, mediaTools: undefined, signal };
    const bytes = await prepareImage(new Uint8Array(await blob.arrayBuffer()), options);
    return { bytes, name: "cover.jpg", contentType: "image/jpeg" };
  }
}
