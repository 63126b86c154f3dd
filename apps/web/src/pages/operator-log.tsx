import { operator } from "../api/operator.ts";
import { words } from "../state/language.ts";
import { siteText } from "../state/site-texts.ts";
import { OneLineSearch } from "../ui/one-line-search.tsx";
import { Rows } from "../ui/rows.tsx";
import { usePages } from "../ui/use-response.ts";

/** The actions of operators, newest first, with a search by action, name and title. */
export function OperatorLog() {
  const response = usePages(50, operator.listAuditRecords, { query: "" });
  const { query } = response.filter;
  const search = (text: string) => response.select({ query: text });
  return (
    <>
      <OneLineSearch label={siteText("site.operator.findActions")} query={query} onSearch={search} />
      <Rows
        response={response}
        empty={siteText("site.operator.noActions")}
        filter={query === "" ? undefined : { changed: undefined, onClear: () => search("") }}
      >
        {(entry) => (
          <li key={entry.id}>
            <div lang="en" dir="ltr">
              <strong>{entry.action}</strong>{" "}
              <bdi title={entry.target}>{entry.targetName ?? entry.target}</bdi>
              {entry.details !== null && <small>{entry.details}</small>}
              <small>
                <bdi title={entry.actor}>{entry.actorName ?? entry.actor}</bdi> ·{" "}
                <time datetime={entry.createdAt}>{words().formatRelative(new Date(entry.createdAt))}</time>
              </small>
            </div>
          </li>
        )}
      </Rows>
    </>
  );
}
