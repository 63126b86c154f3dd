import type { Anime, Match } from "@koma/contract";
import { durationOf, formatLabel, formatSimilarity } from "@koma/messages/page";
import { useId, useState } from "preact/hooks";
import { t, words } from "../state/language.ts";
import { Cover } from "../ui/cover.tsx";
import { Icon } from "../ui/icons.tsx";
import { describeWork, formatEpisodeOf, formatEpisodesOf, formatTitle } from "../ui/scene-words.ts";
import { confirmMatch } from "./confirmation.ts";
import { CopyTime } from "./copy-time.tsx";
import { Moving } from "./moving.tsx";
import { Occurrences } from "./occurrences.tsx";
import { type Found, isRejected } from "./searching.ts";
import { Surroundings } from "./surroundings.tsx";

/** One match: its still, title, episode, time and similarity. */
export function MatchCard(props: {
  match: Match;
  found: Found;
  isMain?: boolean;
  /** The heading of the result names the anime already. */
  isNamed?: boolean;
  ownImage?: string | undefined;
  onSelect: (rank: number) => void;
}) {
  const { match, found, isMain = false, isNamed = false } = props;
  const isConfirmed = found.confirmedRank === match.rank;
  // Only a sure match invites a confirmation.
  const isSure = found.outcome === "found" && !isRejected(found);
  const [clip, setClip] = useState<string>();
  const about = describeWork(match.anime);
  const title = formatTitle(match.anime);
  const duration = durationOf(match);
  const label = formatLabel(words(), match);
  const adult = match.anime.isAdult && <b class="adult">{t("scene.adult")}</b>;
  return (
    <article
      class={`match${isMain ? " main-match" : ""}${isConfirmed ? " confirmed" : ""}`}
      onPointerEnter={() => props.onSelect(match.rank)}
      onFocusCapture={() => props.onSelect(match.rank)}
    >
      <Moving
        match={match}
        ownImage={props.ownImage}
        chosenClip={clip}
        isSure={isMain && (isSure || isConfirmed)}
      />
      <div class="match-words">
        {isMain && match.anime.coverPath && <Cover anime={match.anime} />}
        {!isNamed && (
          <h2 class="match-title">
            <bdi>{title}</bdi>
            {adult}
          </h2>
        )}
        {(about !== "" || (isNamed && adult)) && (
          <p class="match-about">
            {about} {isNamed && adult}
          </p>
        )}
        {isMain && !isRejected(found) && <Watch anime={match.anime} />}
        <p class="match-episode">{formatEpisodesOf(match)}</p>
        <p class="match-time">
          <span dir="ltr">
            <b>{words().formatTime(match.timestamp)}</b>
            {duration !== undefined && <span> / {words().formatTime(duration)}</span>}
          </span>
          {label !== undefined && <span class="match-label"> · {label}</span>}
          <CopyTime seconds={match.timestamp} />
        </p>
        {duration !== undefined && duration > 0 && (
          <div class="track" aria-hidden="true">
            <i style={{ left: `${Math.min(1, match.timestamp / duration) * 100}%` }} />
          </div>
        )}
        <Source match={match} />
        <p class={match.isConfident ? "likeness sure" : "likeness"}>{formatSimilarity(words(), match)}</p>
        {match.recurring && (
          <p class="match-note">{t("scene.recurring", { count: match.recurring.episodes })}</p>
        )}
        {isMain && match.previewPaths?.clips === null && <p class="match-note">{t("scene.noVideo")}</p>}
        <Occurrences match={match} found={found} />
        <Surroundings match={match} found={found} clip={clip} onClip={setClip} />
        <p class="row match-actions">
          {isConfirmed && (
            <span class="confirmed-mark">
              <Icon name="check" />
              {t(found.isOwn ? "web.result.confirmed" : "web.result.confirmedByOther")}
            </span>
          )}
          {found.isOwn && !isConfirmed && (
            <button
              type="button"
              class={isMain && isSure ? "button main confirm" : "button small confirm"}
              aria-label={`${t("web.result.confirm")}: ${t("scene.pair", { first: title, second: formatEpisodeOf(match.episode) })}`}
              onClick={() => void confirmMatch(match.rank)}
            >
              <Icon name="check" />
              {t("web.result.confirm")}
            </button>
          )}
          <Elsewhere anime={match.anime} />
        </p>
      </div>
    </article>
  );
}

/** The other service that found a match. A server of an earlier version names none. */
function Source({ match: { source } }: { match: Match }) {
  if (!source) return null;
  return (
    <p class="match-note">
      <OutsideLink href={source.url}>{t("scene.source", { source: source.name })}</OutsideLink>
    </p>
  );
}

/** The sites that stream the anime. */
function Watch({ anime }: { anime: Anime }) {
  const id = useId();
  const { links = [] } = anime;
  if (links.length === 0) return null;
  return (
    <div class="row watch">
      <span id={id}>{t("web.result.watch")}</span>
      <ul class="row" aria-labelledby={id}>
        {links.map(({ site, url }) => (
          <li key={url}>
            <SiteLink anime={anime} site={site} href={url} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Elsewhere({ anime }: { anime: Anime }) {
  const links = [
    { site: t("web.result.aniList"), id: anime.anilistId, address: "https://anilist.co/anime/" },
    { site: t("web.result.myAnimeList"), id: anime.malId, address: "https://myanimelist.net/anime/" },
  ];
  return links.map(({ site, id, address }) =>
    id === null ? null : <SiteLink key={site} anime={anime} site={site} href={`${address}${id}`} />,
  );
}

function SiteLink({ anime, site, href }: { anime: Anime; site: string; href: string }) {
  return (
    <OutsideLink href={href} label={t("web.result.elsewhere", { site, anime: formatTitle(anime) })}>
      {site}
    </OutsideLink>
  );
}

function OutsideLink({ href, label, children }: { href: string; label?: string; children: string }) {
  return (
    <a class="elsewhere" href={href} target="_blank" rel="noreferrer" aria-label={label}>
      <bdi>{children}</bdi>
      <Icon name="outside" />
    </a>
  );
}
