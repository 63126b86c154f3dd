import { operator } from "../api/operator.ts";
import { pageLocation, setQuery } from "../routing/router.ts";
import { t, words } from "../state/language.ts";
import { siteText } from "../state/site-texts.ts";
import { ErrorPanel } from "../ui/error-panel.tsx";
import { Facts } from "../ui/facts.tsx";
import { MembersOnly } from "../ui/members-only.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { useResponse } from "../ui/use-response.ts";
import { OperatorCharts } from "./operator-charts.tsx";
import { OperatorChats } from "./operator-chats.tsx";
import { OperatorCorrections } from "./operator-corrections.tsx";
import { OperatorLibrary } from "./operator-library.tsx";
import { OperatorLog } from "./operator-log.tsx";
import { OperatorMissing } from "./operator-missing.tsx";
import { OperatorUsers } from "./operator-users.tsx";

const parts = ["overview", "library", "corrections", "missing", "users", "blocked", "log"] as const;

/** The page of administrators: figures, library, corrections, missing scenes, users, blocked chats and the audit log. */
export function OperatorPage() {
  return (
    <MembersOnly title={siteText("site.operator.title")}>
      {(user) =>
        user.isAdmin ? <Parts userId={user.id} /> : <p class="note">{siteText("site.operator.forbidden")}</p>
      }
    </MembersOnly>
  );
}

function Parts({ userId }: { userId: string }) {
  const shown = parts.find((part) => part === pageLocation.value.query.get("part")) ?? "overview";
  return (
    <div class="list-page">
      <Tabs
        legend={siteText("site.operator.parts")}
        options={parts.map((part) => [part, siteText(`site.operator.${part}`)])}
        value={shown}
        onChange={(part) => setQuery({ part: part === "overview" ? undefined : part })}
      />
      {shown === "overview" && (
        <>
          <Overview />
          <OperatorCharts />
        </>
      )}
      {shown === "library" && <OperatorLibrary />}
      {shown === "corrections" && <OperatorCorrections />}
      {shown === "missing" && <OperatorMissing />}
      {shown === "users" && <OperatorUsers ownId={userId} />}
      {shown === "blocked" && <OperatorChats />}
      {shown === "log" && <OperatorLog />}
    </div>
  );
}

function Overview() {
  const { value, error, again } = useResponse((signal) => operator.getOperatorOverview({}, { signal }), []);
  if (error !== undefined) return <ErrorPanel error={error} retry={again} />;
  if (value === undefined) return <p class="waiting">{t("web.common.loading")}</p>;
  const { library, index, searches, users } = value;
  const number = words().formatNumber;
  const groups: [string, [string, string][]][] = [
    [
      siteText("site.operator.library"),
      [
        [siteText("site.operator.anime"), number(library.anime)],
        [siteText("site.operator.episodes"), number(library.episodes.ready)],
        [siteText("site.operator.waiting"), number(library.episodes.pending)],
        [siteText("site.operator.indexing"), number(library.episodes.indexing)],
        [siteText("site.operator.failed"), number(library.episodes.failed)],
        [siteText("site.operator.framesStored"), number(library.frames)],
        [siteText("site.status.outdated"), number(library.outdated)],
      ],
    ],
    [
      siteText(index.isOpen ? "site.operator.indexOpen" : "site.operator.indexClosed"),
      [
        [siteText("site.operator.framesIndexed"), number(index.frames)],
        [siteText("site.operator.underWay"), number(searches.underWay)],
        [siteText("site.operator.lastHour"), number(searches.lastHour)],
        [siteText("site.operator.lastDay"), number(searches.lastDay)],
        [
          siteText("site.operator.median"),
          searches.medianMs === null ? "–" : siteText("site.operator.ms", { ms: searches.medianMs }),
        ],
      ],
    ],
    [
      siteText("site.operator.users"),
      [
        [siteText("site.operator.people"), number(users.people)],
        [siteText("site.operator.newLastDay"), number(users.newLastDay)],
        [siteText("site.operator.bots"), number(users.bots)],
        [
          siteText("site.operator.memory"),
          siteText("site.operator.megabytes", { count: Math.round(value.memoryBytes / 1e6) }),
        ],
        [siteText("site.operator.started"), words().formatRelative(new Date(value.startedAt))],
        [siteText("site.operator.version"), value.version],
      ],
    ],
  ];
  return (
    <div class="figure-groups">
      {groups.map(([title, figures]) => (
        <section key={title} class="card">
          <h2>{title}</h2>
          <Facts facts={figures} />
        </section>
      ))}
    </div>
  );
}
