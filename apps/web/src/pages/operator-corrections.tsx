import type { Correction, Episode } from "@koma/contract";
import { formatEpisode } from "@koma/messages/page";
import { useState } from "preact/hooks";
import { operator } from "../api/operator.ts";
import { notify } from "../state/announce.ts";
import { words } from "../state/language.ts";
import { siteText } from "../state/site-texts.ts";
import { ActionDialog } from "../ui/action-dialog.tsx";
import { ErrorPanel } from "../ui/error-panel.tsx";
import { Rows } from "../ui/rows.tsx";
import { formatTitle, nameMatch } from "../ui/scene-words.ts";
import { SmallButton } from "../ui/small-button.tsx";
import { usePages } from "../ui/use-response.ts";
import { useWork } from "../ui/use-work.ts";

/** What users said that their images show, newest first. */
export function OperatorCorrections() {
  const response = usePages(50, operator.listCorrections);
  return (
    <Rows response={response} empty={siteText("site.operator.noCorrections")}>
      {(correction) => <CorrectionRow key={correction.id} correction={correction} onDone={response.again} />}
    </Rows>
  );
}

function CorrectionRow({ correction, onDone }: { correction: Correction; onDone: () => void }) {
  const { id, match, createdAt } = correction;
  const [isApplying, setApplying] = useState(false);
  const text = nameCorrected(correction);
  const { error, start } = useWork(async () => {
    await operator.settleCorrection({ id });
    notify(siteText("site.operator.isSettled"));
    onDone();
  });
  const change = describeChange(correction);
  const action = siteText("site.operator.apply");
  return (
    <li>
      <div>
        <strong dir="auto">{text}</strong>
        {match && <small>{siteText("site.operator.wrongMatch", { scene: nameMatch(match) })}</small>}
        <small>
          <time datetime={createdAt}>{words().formatRelative(new Date(createdAt))}</time>
        </small>
        {error !== undefined && <ErrorPanel error={error} />}
      </div>
      <div class="wrap row-actions">
        {change && (
          <SmallButton
            label={siteText("site.operator.actionLabel", { action, name: text })}
            onClick={() => setApplying(true)}
          >
            {action}
          </SmallButton>
        )}
        <SmallButton label={siteText("site.operator.settleLabel", { text })} onClick={start}>
          {siteText("site.operator.settle")}
        </SmallButton>
      </div>
      {isApplying && change && (
        <ActionDialog
          title={siteText("site.operator.applyTitle")}
          action={action}
          work={async () => {
            await operator.applyCorrection({ id });
            setApplying(false);
            notify(siteText("site.operator.saved"));
            onDone();
          }}
          onClose={() => setApplying(false)}
        >
          <p>{siteText("site.operator.applyChange", change)}</p>
          <p>{siteText("site.operator.applyHint")}</p>
        </ActionDialog>
      )}
    </li>
  );
}

/** The episode as it is named now and as the correction names it; undefined if it cannot be applied. */
function describeChange({ anime, number, episode }: Correction) {
  if (anime === null || episode === null) return undefined;
  const before = { season: episode.season, number: toNumber(episode.number), title: episode.title ?? null };
  const own = anime.id === episode.anime.id ? before : { season: null, title: null };
  const after = { ...own, number: toNumber(number ?? episode.number) };
  return { before: name(formatTitle(episode.anime), before), after: name(formatTitle(anime), after) };
}

function nameCorrected({ text, anime, number }: Correction): string {
  const titles = [anime && formatTitle(anime), text].filter((title) => title !== null);
  return name(titles.join(" · "), { season: null, number: toNumber(number), title: null });
}

function name(title: string, episode: Episode | null): string {
  const numbered = formatEpisode(words(), episode);
  return numbered === undefined ? title : `${title} · ${numbered}`;
}

/** A whole number as the API writes it, so that it is formatted as one. */
function toNumber(written: string | null): Episode["number"] {
  return written !== null && /^\d{1,9}$/.test(written) ? Number(written) : written;
}
