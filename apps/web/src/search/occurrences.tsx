import type { Match } from "@koma/contract";
import { useState } from "preact/hooks";
import { toQuickStillHref } from "../api/koma.ts";
import { t, words } from "../state/language.ts";
import { formatEpisodeOf } from "../ui/scene-words.ts";
import { Still } from "../ui/still.tsx";
import { CopyTime } from "./copy-time.tsx";
import type { Found } from "./searching.ts";
import { useSurroundings } from "./surroundings.tsx";

type Occurrence = Match["otherOccurrences"][number] & { stillPath?: string };

/** The other scenes of the library with the same content; their stills are loaded when the reader opens the list. */
export function Occurrences(props: { match: Match; found: Found }) {
  const [wasOpened, setOpened] = useState(false);
  const { otherOccurrences } = props.match;
  if (otherOccurrences.length === 0) return null;
  return (
    <details class="occurrences" onToggle={(event) => event.currentTarget.open && setOpened(true)}>
      <summary>{t("web.result.occurrences")}</summary>
      {wasOpened ? <WithStills {...props} /> : <List occurrences={otherOccurrences} />}
    </details>
  );
}

function WithStills({ match, found }: { match: Match; found: Found }) {
  const { value } = useSurroundings(match, found);
  const withStills = value?.occurrences ?? [];
  // The times are of use without stills, too.
  return <List occurrences={withStills.length > 0 ? withStills : match.otherOccurrences} />;
}

function List({ occurrences }: { occurrences: readonly Occurrence[] }) {
  return (
    <ul>
      {occurrences.map((occurrence) => (
        <Row
          key={`${occurrence.episode?.season} ${occurrence.episode?.number} ${occurrence.from}`}
          {...occurrence}
        />
      ))}
    </ul>
  );
}

function Row({ episode, from, stillPath }: Occurrence) {
  const [hasFailed, setFailed] = useState(false);
  return (
    <li>
      {stillPath !== undefined && !hasFailed && (
        <Still
          src={toQuickStillHref(stillPath)}
          alt=""
          width="128"
          height="72"
          onError={() => setFailed(true)}
        />
      )}
      <span>
        {formatEpisodeOf(episode)}, <span class="match-time">{words().formatTime(from)}</span>
        <CopyTime seconds={from} />
      </span>
    </li>
  );
}
