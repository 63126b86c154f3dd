import { type RankingEntry, RankingPeriod } from "@koma/contract";
import { koma } from "../api/koma.ts";
import { pageLocation, setQuery } from "../routing/router.ts";
import { t } from "../state/language.ts";
import { Cover } from "../ui/cover.tsx";
import { ErrorPanel } from "../ui/error-panel.tsx";
import { SceneCard } from "../ui/scene-card.tsx";
import { describeAbout, formatTitle } from "../ui/scene-words.ts";
import { Switch } from "../ui/switch.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { useResponse } from "../ui/use-response.ts";

/** The most searched anime by period, and the most searched scenes. */
export function RankingsPage() {
  const { query } = pageLocation.value;
  const period = RankingPeriod.safeParse(query.get("period")).data ?? "weekly";
  const includeAdult = query.get("adult") === "1";
  const show = (chosen: RankingPeriod, isAdult: boolean) =>
    setQuery({ period: chosen, adult: isAdult ? "1" : undefined });
  const { value, error, isLoading, again } = useResponse(
    (signal) => koma.getRankings({ period, includeAdult, limit: 50 }, { signal }),
    [period, includeAdult],
  );
  const most = value?.entries[0]?.searches ?? 1;
  return (
    <div class="list-page">
      <h1 tabIndex={-1}>{t("web.rankings.title")}</h1>
      <p class="lead">{t("web.rankings.lead")}</p>
      <div class="row filters">
        <Tabs
          legend={t("web.rankings.period")}
          options={RankingPeriod.options.map((one) => [one, t(`web.rankings.${one}`)])}
          value={period}
          onChange={(chosen) => show(chosen, includeAdult)}
        />
        <Switch isOn={includeAdult} onChange={(isOn) => show(period, isOn)}>
          {t("web.rankings.adult")}
        </Switch>
      </div>
      {error !== undefined && <ErrorPanel error={error} retry={again} />}
      {value?.entries.length === 0 && <p class="empty">{t("web.rankings.empty")}</p>}
      <ol class="ranking" aria-busy={isLoading}>
        {value?.entries.map((entry) => (
          <Entry key={entry.anime.id} entry={entry} share={entry.searches / most} />
        ))}
      </ol>
      <TopScenes />
    </div>
  );
}

function TopScenes() {
  const { value } = useResponse((signal) => koma.getSceneRankings({}, { signal }), []);
  if (value === undefined || value.entries.length === 0) return null;
  return (
    <section>
      <h2>{t("web.rankings.scenes")}</h2>
      <ul class="scenes">
        {value.entries.map((scene) => (
          <li key={scene.id}>
            <SceneCard scene={scene} path={`/search/${scene.id}`}>
              <small>{t("web.rankings.searches", { count: scene.searches })}</small>
            </SceneCard>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Entry({ entry, share }: { entry: RankingEntry; share: number }) {
  return (
    <li>
      <span class="rank" role="img" aria-label={t("web.rankings.rank", { rank: entry.rank })}>
        {entry.rank}
      </span>
      <Cover anime={entry.anime} />
      <div>
        <strong>
          <bdi>{formatTitle(entry.anime)}</bdi>
        </strong>
        {entry.anime.isAdult && <b class="adult">{t("scene.adult")}</b>}
        <small>{describeAbout(entry.anime)}</small>
        <div class="bar" aria-hidden="true">
          <i style={{ width: `${share * 100}%` }} />
        </div>
      </div>
      <span class="amount">{t("web.rankings.searches", { count: entry.searches })}</span>
    </li>
  );
}
