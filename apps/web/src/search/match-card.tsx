import type { Anime, Match } from "@koma/contract";
import { sayLikeness } from "@koma/messages/page";
import { say, words } from "../state/language.ts";
import { Icon } from "../ui/icons.tsx";
import { sayAbout, sayEpisodeOf, sayTitle } from "../ui/scene-words.ts";
import { Moving } from "./moving.tsx";
import { placeOf } from "./result.tsx";
import { confirmMatch, type Found } from "./searching.ts";

/** One scene: what it shows, what it is, how alike, and where in the episode. */
export function MatchCard(props: {
  match: Match;
  found: Found;
  isMain?: boolean;
  onLook: (rank: number) => void;
}) {
  const { match, found, isMain = false } = props;
  const isConfirmed = found.confirmedRank === match.rank;
  const about = sayAbout(match.anime);
  const title = sayTitle(match.anime);
  const Title = isMain ? "h2" : "h3";
  return (
    <article
      class={`match${isMain ? " main-match" : ""}${isConfirmed ? " confirmed" : ""}`}
      onPointerEnter={() => props.onLook(match.rank)}
      onFocusCapture={() => props.onLook(match.rank)}
    >
      <Moving match={match} />
      <div class="match-words">
        <Title class="match-title">
          {title}
          {match.anime.isAdult && <b class="adult">{say("scene.adult")}</b>}
        </Title>
        {about !== "" && <p class="match-about">{about}</p>}
        <p class="match-episode">{sayEpisodeOf(match.episode)}</p>
        <p class="match-time">
          <b>{words().formatTime(match.timestamp)}</b> <span>/ {words().formatTime(match.duration)}</span>
        </p>
        <div class="track" aria-hidden="true">
          <i style={{ left: `${placeOf(match) * 100}%` }} />
        </div>
        <p class={match.isConfident ? "likeness sure" : "likeness"}>{sayLikeness(words(), match)}</p>
        {match.recurring && (
          <p class="match-note">{say("scene.recurring", { count: match.recurring.episodes })}</p>
        )}
        <p class="match-actions">
          {isConfirmed && (
            <span class="confirmed-mark">
              <Icon name="check" />
              {say(found.isOwn ? "web.result.confirmed" : "web.result.confirmedByOther")}
            </span>
          )}
          {found.isOwn && !isConfirmed && (
            <button
              type="button"
              class={isMain ? "button main" : "button small"}
              aria-label={`${say("web.result.confirm")}: ${title}, ${sayEpisodeOf(match.episode)}`}
              onClick={() => void confirmMatch(match.rank)}
            >
              <Icon name="check" />
              {say("web.result.confirm")}
            </button>
          )}
          <Elsewhere anime={match.anime} />
        </p>
      </div>
    </article>
  );
}

function Elsewhere({ anime }: { anime: Anime }) {
  const links = [
    { site: say("web.result.aniList"), id: anime.anilistId, address: "https://anilist.co/anime/" },
    { site: say("web.result.myAnimeList"), id: anime.malId, address: "https://myanimelist.net/anime/" },
  ];
  return links.map(({ site, id, address }) =>
    id === null ? null : (
      <a
        key={site}
        class="elsewhere"
        href={`${address}${id}`}
        target="_blank"
        rel="noreferrer"
        aria-label={say("web.result.elsewhere", { site, anime: sayTitle(anime) })}
      >
        {site}
        <Icon name="outside" />
      </a>
    ),
  );
}
