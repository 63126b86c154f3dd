import type { Match } from "@koma/contract";
import { describeOutcome } from "@koma/messages/page";
import type { ComponentType } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { arrive } from "../routing/arrive.ts";
import { announce } from "../state/announce.ts";
import { t, words } from "../state/language.ts";
import { Icon } from "../ui/icons.tsx";
import { QuotaLine } from "../ui/quota-line.tsx";
import { formatAbsence, nameMatch } from "../ui/scene-words.ts";
import { ConfirmLine } from "./confirm-line.tsx";
import { MatchCard } from "./match-card.tsx";
import { OtherEngines } from "./other-engines.tsx";
import { QueryImage } from "./query-image.tsx";
import { type Found, isRejected, type Query, searchAll, startOver } from "./searching.ts";

export type ResultProps = { found: Found; query?: Query | undefined };

/** The result of a search: the query image beside the matches, with the actions to confirm and share one. */
export function Result({ found, query }: ResultProps) {
  const { matches, confirmedRank, outcome } = found;
  const [shownRank, setShownRank] = useState(1);
  const shown = matches.find(({ rank }) => rank === (confirmedRank || shownRank)) ?? matches[0];
  const isAbsent = isRejected(found);
  const first = isAbsent ? undefined : confirmedRank ? shown : matches[0];
  const others = matches.filter((match) => match !== first);
  const title = titleOf(found, first);
  useEffect(() => announce(title), [title]);
  useLayoutEffect(arrive, [title]);
  const actions = useFocusAfterConfirmation(confirmedRank);
  return (
    <div class="result">
      <div class="wrap result-head">
        <div>
          {isNamed(found) && (
            <p class="kicker">{t(found.isOwn ? "web.result.found" : "web.result.shared")}</p>
          )}
          <h1 tabIndex={-1}>{title}</h1>
          <Explanation found={found} query={query} />
        </div>
        <button type="button" class="button main" onClick={startOver}>
          <Icon name="image" />
          {t(found.isOwn ? "web.search.another" : "web.result.searchYourself")}
        </button>
      </div>
      <div class={query && "url" in query ? "result-body" : "result-body alone"}>
        {query && "url" in query && (
          <QueryImage
            query={query}
            match={isAbsent ? undefined : shown}
            frameSeconds={found.queryFrameSeconds}
          />
        )}
        <div class="matches" ref={actions}>
          {first && (
            <MatchCard
              // Another first match begins with its own still.
              key={first.rank}
              match={first}
              found={found}
              isMain
              isNamed={isNamed(found)}
              ownImage={isNamed(found) ? imageOf(query) : undefined}
              onSelect={setShownRank}
            />
          )}
          {!isAbsent && actionsOf(found, first)}
          {others.length > 0 && (
            // The other matches are of little use beside a certain one, and beside none that is likely.
            <details class="weaker" open={outcome === "uncertain" && confirmedRank === null}>
              <summary>
                {t(isAbsent ? "web.result.lookAlikes" : "web.result.others", { count: others.length })}
              </summary>
              <ul class="other-matches">
                {others.map((match) => (
                  <li key={match.rank}>
                    <MatchCard match={match} found={found} onSelect={setShownRank} />
                  </li>
                ))}
              </ul>
            </details>
          )}
          {/* "None of these" is about the list above it. */}
          {isAbsent && actionsOf(found, first)}
          {isAbsent && <OtherEngines query={query} />}
          {isAbsent && found.isOwn && <Examples />}
        </div>
      </div>
      <QuotaLine />
    </div>
  );
}

/** The examples are loaded after the result, and left out where they cannot be loaded. */
function Examples() {
  const [Images, setImages] = useState<ComponentType>();
  useEffect(() => {
    Promise.all([import("../ui/example-images.tsx"), import("../state/site-texts.ts")])
      .then(async ([{ ExampleImages }, { loadSiteTexts }]) => {
        await loadSiteTexts();
        setImages(() => ExampleImages);
      })
      .catch(() => undefined);
  }, []);
  return Images === undefined ? null : <Images />;
}

function actionsOf(found: Found, first: Match | undefined) {
  if (found.matches.length === 0) return null;
  return <ConfirmLine found={found} shown={isNamed(found) ? first : undefined} />;
}

/** The address of the image of a search; undefined for a video, and where only its address on another site is known. */
function imageOf(query: Query | undefined): string | undefined {
  return query !== undefined && "url" in query && !query.isVideo ? query.url : undefined;
}

/** Whether the heading names a scene. */
function isNamed({ outcome, confirmedRank }: Found): boolean {
  return confirmedRank === null ? outcome === "found" : confirmedRank > 0;
}

function titleOf(found: Found, first: Match | undefined): string {
  if (found.confirmedRank === 0) return t("web.result.titleRejected");
  if (first !== undefined && isNamed(found)) return nameMatch(first);
  return found.outcome === "not_in_library"
    ? formatAbsence(found.onlyIn)
    : describeOutcome(words(), "uncertain").title;
}

function Explanation({ found, query }: { found: Found; query: Query | undefined }) {
  const { figures, confirmedRank, outcome, onlyIn } = found;
  return (
    <>
      {outcome === "not_in_library" && !confirmedRank && (
        <p>{onlyIn ? t("web.result.noneIn") : describeOutcome(words(), outcome).text}</p>
      )}
      {outcome === "uncertain" && confirmedRank === null && <p>{describeOutcome(words(), outcome).text}</p>}
      {outcome !== "found" && !confirmedRank && <p>{t("web.result.tips")}</p>}
      {onlyIn && query && !isNamed(found) && (
        <p>
          <button type="button" class="button" onClick={() => void searchAll(query)}>
            {t("web.result.searchAll")}
          </button>
        </p>
      )}
      {figures && (
        <p class="figures">{t("web.result.foundIn", { count: figures.frameCount, ms: figures.tookMs })}</p>
      )}
    </>
  );
}

/** The pressed button disappears with a confirmation, so the focus moves to the action that reverses it. */
function useFocusAfterConfirmation(confirmedRank: number | null) {
  const container = useRef<HTMLDivElement>(null);
  const before = useRef(confirmedRank);
  useEffect(() => {
    if (before.current === confirmedRank) return;
    before.current = confirmedRank;
    container.current?.querySelector<HTMLElement>(confirmedRank === null ? ".confirm" : ".undo")?.focus();
  }, [confirmedRank]);
  return container;
}
