import type { UserSearch } from "@koma/contract";
import { type BotTranslator, chooseTitle, describeOutcome, formatEpisode } from "@koma/messages";
import { withOwnKey } from "../accounts/refused-key.ts";
import type { Line, Reply } from "../model/reply.ts";
import type { Requester } from "../model/request.ts";
import { actionButton, itemLine, line } from "../replies/build-reply.ts";
import { writeTarget } from "../replies/targets.ts";
import type { Result, SavedResults } from "../results/saved-results.ts";
import type { Shared } from "../shared.ts";

/** A search of the list; without a scene only its outcome is named. */
type Entry = Pick<UserSearch, "outcome"> & {
  createdAt: Date;
  scene: Pick<NonNullable<UserSearch["scene"]>, "anime" | "episode" | "timestamp"> | undefined;
};

const shownEntries = 10;

/** Creates the reply about one's own searches, always private: those of the account, else those of this bot. */
export function createHistory({ api, accounts, replyPrivately }: Shared, saved: SavedResults) {
  return (request: Requester): Promise<Reply> =>
    replyPrivately(request, async (translator, build) => {
      const { person } = request;
      const { t } = translator;
      const own = await accounts.find(person);
      const entries =
        own === undefined
          ? (await saved.list(person, shownEntries)).map(ofResult)
          : (
              await withOwnKey(own, () =>
                api.measured("listUserSearches", () =>
                  api.withKey(own.key).listUserSearches({ pageSize: shownEntries }),
                ),
              )
            ).items.map(ofSearch);
      return build({
        kind: "list",
        title: t("reply.history.title"),
        lines: [
          ...(entries.length === 0 ? [line(t("reply.history.empty"))] : []),
          ...entries.map((entry) => describeEntry(entry, translator)),
          ...(own === undefined ? [line(t("reply.history.day"), "quiet")] : []),
        ],
        buttons: own === undefined ? [[actionButton("link", t("button.link"), writeTarget("link"))]] : [],
      });
    });
}

function ofSearch({ outcome, createdAt, scene }: UserSearch): Entry {
  return { outcome, createdAt: new Date(createdAt), scene: scene ?? undefined };
}

/** As in the API's history: the confirmed match, or else the first of a search that found something. */
function ofResult({ content, confirmedRank, createdAt }: Result): Entry {
  const { outcome = null, matches } = content;
  const isShown = outcome !== "not_in_library" && confirmedRank !== 0;
  const confirmed = matches.find(({ rank }) => rank === confirmedRank);
  return { outcome, createdAt, scene: confirmed ?? (isShown ? matches[0] : undefined) };
}

function describeEntry({ outcome, createdAt, scene }: Entry, translator: BotTranslator): Line {
  const when = translator.t("reply.recent.when", { at: createdAt });
  const isUncertain = outcome === "uncertain";
  const words =
    isUncertain || scene === undefined
      ? [describeOutcome(translator, isUncertain ? outcome : "not_in_library").title]
      : [];
  if (scene === undefined) return line([...words, when].join(" · "), "item");
  const episode = formatEpisode(translator, scene.episode);
  const title = chooseTitle(scene.anime.title, translator.language);
  return itemLine(title, episode, translator.formatTime(scene.timestamp), ...words, when);
}
