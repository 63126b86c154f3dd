import { ApiProblem } from "@koma/client";
import { koma } from "../api/koma.ts";
import { announce, notify } from "../state/announce.ts";
import { t } from "../state/language.ts";
import { findByTitle, suggestionLimit } from "./anime-filter.ts";
import { search } from "./searching.ts";

let sending: Promise<unknown> = Promise.resolve();

/** Sends one change after the other, because the API keeps the one that arrives last. */
function sendInOrder<Result>(send: () => Promise<Result>): Promise<Result> {
  const sent = sending.then(send);
  sending = sent.catch(() => undefined);
  return sent;
}

/** Confirms a match; 0 rejects all matches and null removes the confirmation. False if it failed. */
export async function confirmMatch(rank: number | null): Promise<boolean> {
  const shown = search.value;
  if (shown.state !== "found") return false;
  const { id, confirmToken, confirmedRank } = shown.found;
  const proof = confirmToken === undefined ? {} : { confirmToken };
  changeRank({ id, before: confirmedRank, after: rank });
  try {
    await sendInOrder<unknown>(() =>
      rank === null ? koma.unconfirmSearch({ id, ...proof }) : koma.confirmSearch({ id, rank, ...proof }),
    );
    announce(
      rank === null
        ? t("web.result.undone")
        : t(rank === 0 ? "web.result.confirmedNone" : "web.result.confirmDone"),
    );
    return true;
  } catch (error) {
    changeRank({ id, before: rank, after: confirmedRank });
    const code = error instanceof ApiProblem ? error.code : "unknown";
    notify(`${t(`error.${code}.title`)}. ${t(`error.${code}.text`)}`);
    return false;
  }
}

/**
 * Sends what the image shows, after all matches were rejected: the anime of the library with this title, otherwise the
 * title as it is written. Throws ApiProblem.
 */
export async function sendCorrection({ title, episode }: { title: string; episode: string }): Promise<void> {
  const shown = search.value;
  if (shown.state !== "found") return;
  const { id, confirmToken } = shown.found;
  const proof = confirmToken === undefined ? {} : { confirmToken };
  const { items } = await koma.findAnime({ query: title, limit: suggestionLimit });
  const anime = findByTitle(items, title);
  const corrected = anime === undefined ? { correction: title } : { correctedAnimeId: anime.id };
  const numbered = episode === "" ? {} : { correctedEpisode: episode };
  await sendInOrder(() => koma.confirmSearch({ id, rank: 0, ...corrected, ...numbered, ...proof }));
}

/** Shows another confirmed rank of a search, unless the reader changed it again. */
function changeRank({ id, before, after }: { id: string; before: number | null; after: number | null }) {
  const shown = search.value;
  if (shown.state !== "found" || shown.found.id !== id || shown.found.confirmedRank !== before) return;
  search.value = { ...shown, found: { ...shown.found, confirmedRank: after } };
}
