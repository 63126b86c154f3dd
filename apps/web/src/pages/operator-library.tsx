import type { Anime } from "@koma/contract";
import { useEffect, useRef, useState } from "preact/hooks";
import { siteText } from "../state/site-texts.ts";
import { formatTitle } from "../ui/scene-words.ts";
import { SmallButton } from "../ui/small-button.tsx";
import { OperatorAnimeRows } from "./operator-anime.tsx";
import { OperatorEpisodeRows } from "./operator-episodes.tsx";
import { OperatorIndexing } from "./operator-indexing.tsx";
import { OperatorQueue } from "./operator-queue.tsx";

/** The anime whose episodes are shown; the heading takes the focus if the operator selected it. */
type Selection = { anime?: Anime; takesFocus: boolean };

/** The library: indexing, the shared queue, anime, and the episodes of all or of one anime. */
export function OperatorLibrary() {
  const [selection, setSelection] = useState<Selection>({ takesFocus: false });
  const { anime, takesFocus } = selection;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [selection]);
  // Each change of the library reloads both lists.
  const [round, setRound] = useState(0);
  const reload = () => setRound((count) => count + 1);
  const selectAll = () => setSelection({ takesFocus: true });
  const onAnimeChange = (animeId: string) => {
    if (animeId === anime?.id) setSelection({ takesFocus: false });
    reload();
  };
  return (
    <>
      <OperatorIndexing round={round} onEnd={reload} />
      <OperatorQueue />
      <section>
        <h2 tabIndex={-1}>{siteText("site.operator.anime")}</h2>
        <OperatorAnimeRows
          round={round}
          onChange={onAnimeChange}
          onSelect={(selected) => setSelection({ anime: selected, takesFocus: true })}
        />
      </section>
      <section>
        <h2 ref={heading} tabIndex={-1}>
          {anime === undefined ? siteText("site.operator.allEpisodes") : formatTitle(anime)}
        </h2>
        {anime !== undefined && (
          <p>
            <SmallButton onClick={selectAll}>{siteText("site.operator.allEpisodes")}</SmallButton>
          </p>
        )}
        <OperatorEpisodeRows
          key={anime?.id}
          animeId={anime?.id}
          round={round}
          onChange={reload}
          onAll={selectAll}
        />
      </section>
    </>
  );
}
