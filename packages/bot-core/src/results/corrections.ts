import { chooseTitle } from "@koma/messages";
import { canShowAnime, hasTitle } from "../info/can-show-anime.ts";
import type { ActionResult, Reply } from "../model/reply.ts";
import type { ActionRequest, CorrectionRequest, Person, Requester } from "../model/request.ts";
import { line } from "../replies/build-reply.ts";
import { writeTarget } from "../replies/targets.ts";
import type { Shared } from "../shared.ts";
import { formatWork } from "./describe-match.ts";
import type { CorrectedScene, ReportRank } from "./report-rank.ts";
import type { Result, SavedResults } from "./saved-results.ts";

const choiceLimit = 9;
const deadlineMs = 10_000;
/** The option that sends the title as it was written. */
const asWritten = "x";

/** Corrections of results: what the image shows if no candidate is right. */
export type Corrections = ReturnType<typeof createCorrections>;

export function createCorrections(
  { api, identities, settings, translatorFor, replyPrivately, guard }: Shared,
  { saved, reportRank }: { saved: SavedResults; reportRank: ReportRank },
) {
  return {
    /** Sends what the image shows, or asks which anime of the library has the title. Always private. */
    correct: ({ person, chat, resultId, ...written }: CorrectionRequest): Promise<Reply> =>
      replyPrivately({ person, chat }, async (translator, build) => {
        const { t, language } = translator;
        const result = await findOwn(resultId, person);
        if (typeof result === "string") return build({ kind: "text", lines: [line(result)] });
        const title = clean(written.title, 200);
        const episode = clean(written.episode ?? "", 20);
        if (title === "") return build({ kind: "text", lines: [line(t("reply.correct.title"))] });
        const chosen = await settings.ofChat(chat);
        const { items } = await api.measured("findAnime", () =>
          api.bot.findAnime({ query: title, limit: choiceLimit }, { deadlineMs }),
        );
        const found = items.filter((anime) => canShowAnime(anime, chat, chosen));
        const exact = found.filter((anime) => hasTitle(anime, title));
        const [only] = exact.length === 1 ? exact : [];
        if (only !== undefined || found.length === 0)
          return await send({ person, chat }, result, { title, episode, animeId: only?.id });
        const animeIds = found.map(({ id }) => id);
        await saved.recontent(result, { correction: { title, episode, animeIds } });
        const option = (index: number | string, label: string, description?: string) => ({
          ...{ target: writeTarget("k", result.id, index), label, description, isChosen: false },
        });
        return build({
          kind: "list",
          title: t("reply.correct.several"),
          menus: [
            {
              ...{ kind: "one", target: writeTarget("K"), label: t("reply.correct.several"), values: [] },
              options: [
                ...found.map((anime, index) =>
                  option(index, chooseTitle(anime.title, language), formatWork(translator, anime)),
                ),
                option(asWritten, t("reply.correct.other", { title })),
              ],
            },
          ],
        });
      }),

    /** Sends the anime that was chosen among several. */
    async choose({ person, chat }: ActionRequest, id: string, index: string): Promise<ActionResult> {
      const result = await findOwn(id, person);
      const { t } = await translatorFor({ person, chat });
      if (typeof result === "string") return { kind: "notice", text: result, isAlert: true };
      const draft = result.content.correction;
      const animeId = draft?.animeIds[Number(index)];
      if (draft === undefined || (index !== asWritten && animeId === undefined))
        return { kind: "notice", text: t("reply.gone"), isAlert: true };
      const { title, episode } = draft;
      const reply = await guard({ person, chat }, () =>
        send({ person, chat }, result, { title, episode, animeId }),
      );
      return { kind: "update", reply };
    },
  };

  async function send(
    requester: Requester,
    result: Result,
    { title, episode, animeId }: { title: string; episode: string; animeId: string | undefined },
  ): Promise<Reply> {
    const corrected: CorrectedScene = {
      ...(animeId === undefined ? { correction: title } : { correctedAnimeId: animeId }),
      ...(episode !== "" && { correctedEpisode: episode }),
    };
    const problem = await reportRank(requester, result, 0, corrected);
    if (problem !== undefined)
      return await replyPrivately(requester, (_, build) => build({ kind: "text", lines: [line(problem)] }));
    await saved.change(result, { confirmedRank: 0 });
    return await replyPrivately(requester, ({ t }, build) =>
      build({ kind: "text", lines: [line(t("reply.correct.sent"))] }),
    );
  }

  /** The requester's own result, or the reason why there is none. */
  async function findOwn(id: string, person: Person): Promise<Result | string> {
    const { t } = await translatorFor({ person });
    const result = await saved.find(id);
    if (result === undefined) return t("reply.gone");
    return result.personKey === identities.person(person.id).personKey ? result : t("reply.onlyAsker");
  }
}

/** One line without control characters. */
function clean(text: string, limit: number): string {
  return Array.from(text.replace(/[\p{Cc}\s]+/gu, " ").trim())
    .slice(0, limit)
    .join("");
}
