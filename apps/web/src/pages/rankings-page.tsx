import { type RankingEntry, RankingPeriod } from "@koma/contract";
import { koma } from "../api/koma.ts";
import { place, setQuery } from "../routing/router.ts";
import { say } from "../state/language.ts";
import { ProblemFace } from "../ui/problem-face.tsx";
import { sayAbout, sayTitle } from "../ui/scene-words.ts";
import { useAnswer } from "../ui/use-answer.ts";

/** What is searched most, by period. */
export function RankingsPage() {
  const { query } = place.value;
  const period = RankingPeriod.safeParse(query.get("period")).data ?? "weekly";
  const includeAdult = query.get("adult") === "1";
  const show = (wanted: RankingPeriod, isAdult: boolean) =>
    setQuery({ period: wanted, adult: isAdult ? "1" : undefined });
  const { value, error, isLoading, again } = useAnswer(
    (signal) => koma.getRankings({ period, includeAdult, limit: 50 }, { signal }),
    [period, includeAdult],
  );
  const most = value?.entries[0]?.searches ?? 1;
  return (
    <div class="list-page">
      <h1 tabIndex={-1}>{say("web.rankings.title")}</h1>
      <p class="lead">{say("web.rankings.lead")}</p>
      <div class="filters">
        <fieldset class="tabs">
          <legend class="unseen">{say("web.rankings.period")}</legend>
          {RankingPeriod.options.map((one) => (
            <label key={one}>
              <input
                type="radio"
                name="period"
                value={one}
                checked={one === period}
                onChange={() => show(one, includeAdult)}
              />
              <span>{say(`web.rankings.${one}`)}</span>
            </label>
          ))}
        </fieldset>
        <label class="switch">
          <input
            type="checkbox"
            checked={includeAdult}
            onChange={(event) => show(period, event.currentTarget.checked)}
          />
          <span>{say("web.rankings.adult")}</span>
        </label>
      </div>
      {error !== undefined && <ProblemFace error={error} retry={again} />}
      {value?.entries.length === 0 && <p class="empty">{say("web.rankings.empty")}</p>}
      <ol class="ranking" aria-busy={isLoading}>
        {value?.entries.map((entry) => (
          <Entry key={entry.anime.id} entry={entry} share={entry.searches / most} />
        ))}
      </ol>
    </div>
  );
}

function Entry({ entry, share }: { entry: RankingEntry; share: number }) {
  return (
    <li>
      <span class="rank" role="img" aria-label={say("web.rankings.rank", { rank: entry.rank })}>
        {entry.rank}
      </span>
      <div>
        <strong>{sayTitle(entry.anime)}</strong>
        {entry.anime.isAdult && <b class="adult">{say("scene.adult")}</b>}
        <small>{sayAbout(entry.anime)}</small>
        <div class="bar" aria-hidden="true">
          <i style={{ width: `${share * 100}%` }} />
        </div>
      </div>
      <span class="amount">{say("web.rankings.searches", { count: entry.searches })}</span>
    </li>
  );
}
