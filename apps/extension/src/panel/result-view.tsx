import { describeOutcome, formatSimilarity } from "@koma/messages/page";
import { useEffect, useRef, useState } from "preact/hooks";
import type { PanelResult } from "../messages.ts";
import { translator } from "../scene-texts.ts";
import { text } from "../texts.ts";
import { background } from "./background.ts";
import { describeMatch } from "./describe-match.ts";
import { MatchView } from "./match-view.tsx";

/** The result of a search: the best match and the others, or that the scene is not in the library. */
export function ResultView({ result, canCapture }: { result: PanelResult; canCapture: boolean }) {
  const [rank, setRank] = useState(result.matches[0]?.rank);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { outcome } = result;
  const isMissing = outcome === "not_in_library";
  const words = outcome === "found" ? undefined : describeOutcome(translator, outcome);
  const shown = result.matches.find((match) => match.rank === rank);
  const view = (
    <>
      {shown && <MatchView match={shown} searchUrl={result.searchUrl} />}
      <Others result={result} rank={rank} onChoose={setRank} />
    </>
  );
  return (
    <>
      <h2 class="small quiet" tabIndex={-1} ref={heading}>
        {words?.title ?? text("foundTitle")}
      </h2>
      {/* Its text is about "this site", which a reader would take for the site that the panel is on. */}
      {words && <p>{isMissing ? text("notInLibraryText", result.serverHost) : words.text}</p>}
      {isMissing && canCapture && (
        <p class="actions">
          <button type="button" onClick={() => void background.capture("region")}>
            {text("startRegion")}
          </button>
        </p>
      )}
      {isMissing && result.matches.length > 0 ? (
        <details>
          <summary>{text("showSimilar")}</summary>
          {view}
        </details>
      ) : (
        view
      )}
      <p class="small quiet">{text("searchesLeft", translator.formatNumber(result.quota.remaining))}</p>
    </>
  );
}

function Others(props: { result: PanelResult; rank: number | undefined; onChoose: (rank: number) => void }) {
  const others = props.result.matches.filter((match) => match.rank !== props.rank);
  if (others.length === 0) return null;
  return (
    // Next to a confident match the others are rarely of interest.
    <details open={props.result.outcome !== "found"}>
      <summary class="small">{text("otherMatches")}</summary>
      <ul class="others">
        {others.map((match) => {
          const { title, episode, time } = describeMatch(match);
          return (
            <li key={match.rank}>
              <button type="button" onClick={() => props.onChoose(match.rank)}>
                <span>
                  <bdi>{title}</bdi>, <bdi>{episode}</bdi>, {time}
                </span>
                <span class="quiet" title={formatSimilarity(translator, match)}>
                  {translator.formatPercent(match.similarity)}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </details>
  );
}
