import { useState } from "preact/hooks";
import { operator } from "../api/operator.ts";
import { words } from "../state/language.ts";
import { siteText } from "../state/site-texts.ts";
import { ErrorPanel } from "../ui/error-panel.tsx";
import { Pager } from "../ui/pager.tsx";
import { useResponse } from "../ui/use-response.ts";

const pageSize = 50;

/** The actions of operators, newest first. */
export function OperatorLog() {
  const [page, setPage] = useState(1);
  const { value, error, isLoading, again } = useResponse(
    (signal) => operator.listAuditRecords({ page, pageSize }, { signal }),
    [page],
  );
  return (
    <>
      {error !== undefined && <ErrorPanel error={error} retry={again} />}
      {value?.total === 0 && <p class="empty">{siteText("site.operator.noActions")}</p>}
      <ul class="rows" aria-busy={isLoading}>
        {value?.items.map((entry) => (
          <li key={entry.id}>
            <div lang="en" dir="ltr">
              <strong>{entry.action}</strong> {entry.target}
              {entry.details !== null && <small>{entry.details}</small>}
              <small>
                {entry.actor} ·{" "}
                <time datetime={entry.createdAt}>{words().formatRelative(new Date(entry.createdAt))}</time>
              </small>
            </div>
          </li>
        ))}
      </ul>
      {value && <Pager page={page} pageSize={pageSize} total={value.total} onPage={setPage} />}
    </>
  );
}
