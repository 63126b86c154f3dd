import { useState } from "preact/hooks";
import { operator } from "../api/operator.ts";
import { words } from "../state/language.ts";
import { siteText } from "../state/site-texts.ts";
import { Rows } from "../ui/rows.tsx";
import { useResponse } from "../ui/use-response.ts";

const pageSize = 50;

/** The actions of operators, newest first. */
export function OperatorLog() {
  const [page, setPage] = useState(1);
  const response = useResponse((signal) => operator.listAuditRecords({ page, pageSize }, { signal }), [page]);
  return (
    <Rows
      response={response}
      empty={siteText("site.operator.noActions")}
      paging={{ page, pageSize, onPage: setPage }}
    >
      {(entry) => (
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
      )}
    </Rows>
  );
}
