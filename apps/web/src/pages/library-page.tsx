import { ApiProblem } from "@koma/client";
import type { LibraryAnime, LibraryEpisode } from "@koma/contract";
import { formatEpisode } from "@koma/messages/page";
import { useEffect, useState } from "preact/hooks";
import { koma } from "../api/koma.ts";
import { pageLocation, setQuery, visit } from "../routing/router.ts";
import { t, words } from "../state/language.ts";
import { session } from "../state/session.ts";
import { Cover } from "../ui/cover.tsx";
import { ErrorPanel } from "../ui/error-panel.tsx";
import { Pager } from "../ui/pager.tsx";
import { describeWork, formatTitle } from "../ui/scene-words.ts";
import { useResponse } from "../ui/use-response.ts";

const animePerPage = 24;
const episodesPerPage = 50;

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
  const { value, error, isLoading, again } = useResponse(
    (signal) => koma.listLibrary({ query: title, page, pageSize: animePerPage, includeAdult }, { signal }),
    [title, page, includeAdult, session.value?.id],
  );
  const isPrivate = error instanceof ApiProblem && error.code === "forbidden";
  return (
    <div class="list-page">
      <h1 tabIndex={-1}>{t("web.library.title")}</h1>
      <p class="lead">{t(isPrivate ? "web.library.private" : "web.library.lead")}</p>
      {!isPrivate && (
        <>
          <div class="filters">
            <TitleField key={visit.value} title={title} onTitle={(chosen) => show({ title: chosen })} />
            <label class="switch">
              <input
                type="checkbox"
                checked={includeAdult}
                onChange={(event) => show({ includeAdult: event.currentTarget.checked })}
              />
              <span>{t("web.rankings.adult")}</span>
            </label>
          </div>
          {error !== undefined && <ErrorPanel error={error} retry={again} />}
          {value && (
            <p role="status">
              {value.total === 0 ? t("web.library.empty") : t("web.library.total", { count: value.total })}
            </p>
          )}
          <ul class="library" aria-busy={isLoading}>
            {value?.items.map((item) => (
              <li key={item.anime.id}>
                <AnimeEntry item={item} includeAdult={includeAdult} />
              </li>
            ))}
          </ul>
          {value && (
            <Pager
              page={page}
              pageSize={animePerPage}
              total={value.total}
              isByTitle
              onPage={(chosen) => show({ page: chosen })}
            />
          )}
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
    <div class="field library-filter">
      <label for="library-title">{t("web.library.filter")}</label>
      <input
        id="library-title"
        type="search"
        maxLength={200}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
    </div>
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
        <p class="library-links">
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
  const [page, setPage] = useState(1);
  const { value, error, isLoading, again } = useResponse(
    (signal) =>
      koma.listLibraryEpisodes({ id: animeId, page, pageSize: episodesPerPage, includeAdult }, { signal }),
    [animeId, page, includeAdult],
  );
  if (error !== undefined) return <ErrorPanel error={error} retry={again} />;
  if (value === undefined) return <p class="waiting">{t("web.common.loading")}</p>;
  return (
    <>
      <ul class="rows" aria-busy={isLoading}>
        {value.items.map((episode) => (
          <EpisodeRow key={episode.id} episode={episode} />
        ))}
      </ul>
      <Pager page={page} pageSize={episodesPerPage} total={value.total} isByTitle onPage={setPage} />
    </>
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
