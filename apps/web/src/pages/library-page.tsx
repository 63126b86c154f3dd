import { ApiProblem } from "@koma/client";
import type { LibraryAnime, LibraryEpisode } from "@koma/contract";
import { formatEpisode } from "@koma/messages/page";
import { useEffect, useState } from "preact/hooks";
import { koma } from "../api/koma.ts";
import { pageLocation, setQuery, visit } from "../routing/router.ts";
import { t, words } from "../state/language.ts";
import { session } from "../state/session.ts";
import { Cover } from "../ui/cover.tsx";
import { Field } from "../ui/field.tsx";
import { Rows } from "../ui/rows.tsx";
import { describeWork, formatTitle } from "../ui/scene-words.ts";
import { Switch } from "../ui/switch.tsx";
import { usePages, useResponse } from "../ui/use-response.ts";

const animePerPage = 24;

/** The anime of the library with their episodes, searched by title. */
export function LibraryPage() {
  const { query } = pageLocation.value;
  const title = query.get("title") ?? "";
  const page = Math.max(1, Math.floor(Number(query.get("page")) || 1));
  const includeAdult = query.get("adult") === "1";
  const show = (next: { title?: string; page?: number; includeAdult?: boolean }) => {
    const chosen = { title, includeAdult, page: 1, ...next };
    setQuery({
      title: chosen.title === "" ? undefined : chosen.title,
      page: chosen.page === 1 ? undefined : String(chosen.page),
      adult: chosen.includeAdult ? "1" : undefined,
    });
  };
  const response = useResponse(
    (signal) => koma.listLibrary({ query: title, page, pageSize: animePerPage, includeAdult }, { signal }),
    [title, page, includeAdult, session.value?.id],
  );
  const { value, error } = response;
  const onPage = (chosen: number) => show({ page: chosen });
  const isPrivate = error instanceof ApiProblem && error.code === "forbidden";
  return (
    <div class="list-page">
      <h1 tabIndex={-1}>{t("web.library.title")}</h1>
      <p class="lead">{t(isPrivate ? "web.library.private" : "web.library.lead")}</p>
      {!isPrivate && (
        <>
          <div class="row filters">
            <TitleField key={visit.value} title={title} onTitle={(chosen) => show({ title: chosen })} />
            <Switch isOn={includeAdult} onChange={(isOn) => show({ includeAdult: isOn })}>
              {t("web.rankings.adult")}
            </Switch>
          </div>
          {value && (
            <p role="status">
              {value.total === 0 ? t("web.library.empty") : t("web.library.total", { count: value.total })}
            </p>
          )}
          <Rows
            class="library"
            response={{ ...response, paging: { page, pageSize: animePerPage, onPage } }}
            isByTitle
          >
            {(item) => (
              <li key={item.anime.id}>
                <AnimeEntry item={item} includeAdult={includeAdult} />
              </li>
            )}
          </Rows>
        </>
      )}
    </div>
  );
}

/** A field that filters shortly after the last key. */
function TitleField({ title, onTitle }: { title: string; onTitle: (title: string) => void }) {
  const [text, setText] = useState(title);
  useEffect(() => {
    if (text.trim() === title) return undefined;
    const timer = setTimeout(() => onTitle(text.trim()), 250);
    return () => clearTimeout(timer);
  }, [text, title, onTitle]);
  return (
    <Field
      class="library-filter"
      label={t("web.library.filter")}
      type="search"
      isOptional
      maxLength={200}
      value={text}
      onText={setText}
    />
  );
}

function AnimeEntry({ item, includeAdult }: { item: LibraryAnime; includeAdult: boolean }) {
  const { anime } = item;
  const [isOpen, setOpen] = useState(false);
  const name = formatTitle(anime);
  return (
    <article class="library-anime">
      <Cover anime={anime} />
      <div>
        <h2>
          <bdi>{name}</bdi> {anime.isAdult && <b class="adult">{t("scene.adult")}</b>}
        </h2>
        <p class="library-about">{describeWork(anime)}</p>
        <p class="wrap library-links">
          {anime.anilistId !== null && (
            <a href={`https://anilist.co/anime/${anime.anilistId}`} rel="noreferrer">
              AniList<span class="unseen">: {name}</span>
            </a>
          )}
          {anime.malId !== null && (
            <a href={`https://myanimelist.net/anime/${anime.malId}`} rel="noreferrer">
              MyAnimeList<span class="unseen">: {name}</span>
            </a>
          )}
        </p>
        <details onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>
            {t("web.library.episodes", { count: item.episodeCount })} ·{" "}
            {t("web.library.indexed", { duration: item.durationSeconds, frames: item.frameCount })}
          </summary>
          {isOpen && <Episodes animeId={anime.id} includeAdult={includeAdult} />}
        </details>
      </div>
    </article>
  );
}

function Episodes({ animeId, includeAdult }: { animeId: string; includeAdult: boolean }) {
  const response = usePages(
    50,
    (page, options) => koma.listLibraryEpisodes({ id: animeId, includeAdult, ...page }, options),
    {},
    [animeId, includeAdult],
  );
  if (response.value === undefined && response.error === undefined)
    return <p class="waiting">{t("web.common.loading")}</p>;
  return (
    <Rows response={response} isByTitle>
      {(episode) => <EpisodeRow key={episode.id} episode={episode} />}
    </Rows>
  );
}

function EpisodeRow({ episode }: { episode: LibraryEpisode }) {
  const { season, number, title } = episode;
  return (
    <li>
      <span>
        {formatEpisode(words(), { season, number, title }) ?? t("scene.episodeUnknown")}
        {episode.indexedAt !== null && (
          <small>{t("web.library.indexedAt", { at: new Date(episode.indexedAt) })}</small>
        )}
      </span>
      {episode.durationSeconds !== null && (
        <span class="amount">{t("scene.range", { from: 0, to: episode.durationSeconds })}</span>
      )}
    </li>
  );
}
