import type { Match } from "@koma/contract";
import { useEffect, useState } from "preact/hooks";
import { arrive } from "../routing/arrive.ts";
import { toAddress } from "../routing/router.ts";
import { announce, notify } from "../state/announce.ts";
import { t } from "../state/language.ts";
import { copyText } from "../ui/copy-text.tsx";
import { Icon } from "../ui/icons.tsx";
import { QuotaLine } from "../ui/quota-line.tsx";
import { MatchCard } from "./match-card.tsx";
import { QueryImage } from "./query-image.tsx";
import { confirmMatch, type Found, type Query, startOver } from "./searching.ts";

/** What a search found: the picture beside the scenes, and the question which of them is right. */
export function Result({ found, query }: { found: Found; query?: Query | undefined }) {
  const { matches, confirmedRank } = found;
  const [shownRank, setShownRank] = useState(1);
  const isConfident = matches[0]?.isConfident === true;
  const title = titleOf(found, isConfident);
  useEffect(() => announce(title), [title]);
  useEffect(arrive, [found.id]);
  const shown = matches.find(({ rank }) => rank === (confirmedRank || shownRank)) ?? matches[0];
  const first = confirmedRank ? shown : matches[0];
  const others = matches.filter((match) => match !== first);
  return (
    <div class="result">
      <div class="result-head">
        <div>
          <h1 tabIndex={-1}>{title}</h1>
          <Explanation found={found} isConfident={isConfident} />
        </div>
        <button type="button" class="button main" onClick={startOver}>
          <Icon name="image" />
          {t(found.isOwn ? "web.search.another" : "web.result.searchYourself")}
        </button>
      </div>
      <div class={query && "url" in query ? "result-body" : "result-body alone"}>
        {query && "url" in query && <QueryImage query={query} match={shown} />}
        <div class="matches">
          {first && <MatchCard match={first} found={found} isMain onSelect={setShownRank} />}
          {first && <ConfirmLine found={found} />}
          {others.length > 0 && (
            // Where the first is certain, the others are seldom of use.
            <details class="weaker" open={!isConfident}>
              <summary>{t("web.result.others", { count: others.length })}</summary>
              <ul class="other-matches">
                {others.map((match) => (
                  <li key={match.rank}>
                    <MatchCard match={match} found={found} onSelect={setShownRank} />
                  </li>
                ))}
              </ul>
            </details>
          )}
        </div>
      </div>
      <QuotaLine />
    </div>
  );
}

function titleOf({ matches, isOwn, confirmedRank }: Found, isConfident: boolean): string {
  if (matches.length === 0) return t("web.result.titleNone");
  if (!isOwn && confirmedRank) return t("web.result.shared");
  return t(isConfident || confirmedRank ? "web.result.titleConfident" : "web.result.titleUnsure");
}

function Explanation({ found, isConfident }: { found: Found; isConfident: boolean }) {
  const { matches, figures, confirmedRank } = found;
  return (
    <>
      {matches.length === 0 && <p>{t("web.result.none")}</p>}
      {matches.length > 0 && !isConfident && !confirmedRank && <p>{t("web.result.unsure")}</p>}
      {!isConfident && !confirmedRank && <p>{t("web.result.tips")}</p>}
      {figures && (
        <p class="figures">{t("web.result.foundIn", { count: figures.frameCount, ms: figures.tookMs })}</p>
      )}
    </>
  );
}

/** Says which scene is right, takes it back, and gives the link to it. */
function ConfirmLine({ found }: { found: Found }) {
  const { confirmedRank, isOwn, isPublic, id } = found;
  const share = async () => {
    if (await copyText(toAddress(`/search/${id}`))) notify(t("web.result.linkCopied"));
  };
  const hint = isPublic ? t("web.result.shareHint") : t("web.result.sharePrivate");
  return (
    <div class="confirm-line">
      {isOwn && confirmedRank === null && (
        <button type="button" class="button" onClick={() => void confirmMatch(0)}>
          {t("web.result.confirmNone")}
        </button>
      )}
      {isOwn && confirmedRank !== null && (
        <>
          {confirmedRank === 0 && <span>{t("web.result.confirmedNone")}</span>}
          <button type="button" class="button" onClick={() => void confirmMatch(null)}>
            <Icon name="undo" />
            {t("web.result.undo")}
          </button>
        </>
      )}
      {confirmedRank ? (
        <>
          <button type="button" class="button" onClick={() => void share()}>
            <Icon name="link" />
            {t("web.result.share")}
          </button>
          <small>{hint}</small>
        </>
      ) : (
        isOwn && confirmedRank === null && isPublic && <small>{t("web.result.shareFirst")}</small>
      )}
    </div>
  );
}

/** Where the moment of a match lies in its episode, 0 to 1. */
export function positionOf({ timestamp, duration }: Match): number {
  return duration > 0 ? Math.min(1, timestamp / duration) : 0;
}
