import type { Correction } from "@koma/contract";
import { useState } from "preact/hooks";
import { operator } from "../api/operator.ts";
import { notify } from "../state/announce.ts";
import { words } from "../state/language.ts";
import { siteText } from "../state/site-texts.ts";
import { ErrorPanel } from "../ui/error-panel.tsx";
import { Rows } from "../ui/rows.tsx";
import { nameMatch } from "../ui/scene-words.ts";
import { useResponse } from "../ui/use-response.ts";
import { useWork } from "../ui/use-work.ts";

const pageSize = 50;

/** What users said that their images show, newest first. */
export function OperatorCorrections() {
  const [page, setPage] = useState(1);
  const response = useResponse((signal) => operator.listCorrections({ page, pageSize }, { signal }), [page]);
  return (
    <Rows
      response={response}
      empty={siteText("site.operator.noCorrections")}
      paging={{ page, pageSize, onPage: setPage }}
    >
      {(correction) => <CorrectionRow key={correction.id} correction={correction} onDone={response.again} />}
    </Rows>
  );
}

function CorrectionRow({ correction, onDone }: { correction: Correction; onDone: () => void }) {
  const { id, text, match, createdAt } = correction;
  const { error, start } = useWork(async () => {
    await operator.settleCorrection({ id });
    notify(siteText("site.operator.isSettled"));
    onDone();
  });
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
      <button
        type="button"
        class="button small"
        aria-label={siteText("site.operator.settleLabel", { text })}
        onClick={start}
      >
        {siteText("site.operator.settle")}
      </button>
    </li>
  );
}
