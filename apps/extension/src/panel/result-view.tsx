import { describeOutcome, formatSimilarity, type PageTranslator } from "@koma/messages/page";
import { useEffect, useRef, useState } from "preact/hooks";
import type { PanelResult } from "../messages.ts";
import { text } from "../texts.ts";
import type { Background } from "./background.ts";
import { describeMatch } from "./describe-match.ts";
import { MatchView } from "./match-view.tsx";

/** The result of a search: the best match and the others, or that the scene is not in the library. */
export function ResultView(props: {
  result: PanelResult;
  translator: PageTranslator;
  background: Background;
  canCapture: boolean;
}) {
  const { result, translator, background } = props;
  const [rank, setRank] = useState(result.matches[0]?.rank);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { outcome } = result;
  const isMissing = outcome === "not_in_library";
  const words = outcome === "found" ? undefined : describeOutcome(translator, outcome);
  const shown = result.matches.find((match) => match.rank === rank);
  const view = shown && (
    <MatchView match={shown} translator={translator} background={background} searchUrl={result.searchUrl} />
  );
  return (
    <>
      <h2 class="small quiet" tabIndex={-1} ref={heading}>
        {words?.title ?? text("foundTitle")}
      </h2>
      {/* Its text is about "this site", which a reader would take for the site that the panel is on. */}
      {words && <p>{isMissing ? text("notInLibraryText", result.serverHost) : words.text}</p>}
      {isMissing && props.canCapture && (
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
          <Others {...props} rank={rank} onChoose={setRank} />
        </details>
      ) : (
        <>
          {view}
          <Others {...props} rank={rank} onChoose={setRank} />
        </>
      )}
      <p class="small quiet">{text("searchesLeft", translator.formatNumber(result.quota.remaining))}</p>
    </>
  );
}

function Others(props: {
  result: PanelResult;
  translator: PageTranslator;
  rank: number | undefined;
  onChoose: (rank: number) => void;
}) {
  const others = props.result.matches.filter((match) => match.rank !== props.rank);
  if (others.length === 0) return null;
  return (
    // Next to a confident match the others are rarely of interest.
    <details open={props.result.outcome !== "found"}>
      <summary class="small">{text("otherMatches")}</summary>
      <ul class="others">
        {others.map((match) => {
          const { title, episode, time } = describeMatch(match, props.translator);
          return (
            <li key={match.rank}>
              <button type="button" onClick={() => props.onChoose(match.rank)}>
                <span>
                  <bdi>{title}</bdi>, <bdi>{episode}</bdi>, {time}
                </span>
                <span class="quiet" title={formatSimilarity(props.translator, match)}>
                  {props.translator.formatPercent(match.similarity)}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </details>
  );
}
