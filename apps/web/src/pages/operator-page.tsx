import { koma } from "../api/koma.ts";
import { pageLocation, setQuery } from "../routing/router.ts";
import { t, words } from "../state/language.ts";
import { loadSiteTexts } from "../state/site-texts.ts";
import { ErrorPanel } from "../ui/error-panel.tsx";
import { MembersOnly } from "../ui/members-only.tsx";
import { useResponse } from "../ui/use-response.ts";
import { OperatorCharts } from "./operator-charts.tsx";
import { OperatorChats } from "./operator-chats.tsx";
import { OperatorCorrections } from "./operator-corrections.tsx";
import { OperatorLibrary } from "./operator-library.tsx";
import { OperatorLog } from "./operator-log.tsx";
import { OperatorUsers } from "./operator-users.tsx";

const parts = ["overview", "library", "corrections", "users", "blocked", "log"] as const;

/** Loads the texts of the charts before the page is shown. */
export async function loadOperatorPage() {
  await loadSiteTexts();
  return OperatorPage;
}

/** The page of administrators: figures, library, corrections, users, blocked chats and the audit log. */
function OperatorPage() {
  return (
    <MembersOnly title={t("web.operator.title")}>
      {(user) => (user.isAdmin ? <Parts /> : <p class="note">{t("web.operator.forbidden")}</p>)}
    </MembersOnly>
  );
}

function Parts() {
  const shown = parts.find((part) => part === pageLocation.value.query.get("part")) ?? "overview";
  return (
    <div class="list-page">
      <fieldset class="tabs">
        <legend class="unseen">{t("web.operator.parts")}</legend>
        {parts.map((part) => (
          <label key={part}>
            <input
              type="radio"
              name="part"
              checked={part === shown}
              onChange={() => setQuery({ part: part === "overview" ? undefined : part })}
            />
            <span>{t(`web.operator.${part}`)}</span>
          </label>
        ))}
      </fieldset>
      {shown === "overview" && (
        <>
          <Overview />
          <OperatorCharts />
        </>
      )}
      {shown === "library" && <OperatorLibrary />}
      {shown === "corrections" && <OperatorCorrections />}
      {shown === "users" && <OperatorUsers />}
      {shown === "blocked" && <OperatorChats />}
      {shown === "log" && <OperatorLog />}
    </div>
  );
}

function Overview() {
  const { value, error, again } = useResponse((signal) => koma.getOperatorOverview({}, { signal }), []);
  if (error !== undefined) return <ErrorPanel error={error} retry={again} />;
  if (value === undefined) return <p class="waiting">{t("web.common.loading")}</p>;
  const { library, index, searches, users } = value;
  const number = words().formatNumber;
  const groups: [string, [string, string][]][] = [
    [
      t("web.operator.library"),
      [
        [t("web.operator.anime"), number(library.anime)],
        [t("web.operator.episodes"), number(library.episodes.ready)],
        [t("web.operator.waiting"), number(library.episodes.pending)],
        [t("web.operator.indexing"), number(library.episodes.indexing)],
        [t("web.operator.failed"), number(library.episodes.failed)],
        [t("web.operator.framesStored"), number(library.frames)],
      ],
    ],
    [
      t(index.isOpen ? "web.operator.indexOpen" : "web.operator.indexClosed"),
      [
        [t("web.operator.framesIndexed"), number(index.frames)],
        [t("web.operator.underWay"), number(searches.underWay)],
        [t("web.operator.lastHour"), number(searches.lastHour)],
        [t("web.operator.lastDay"), number(searches.lastDay)],
        [
          t("web.operator.median"),
          searches.medianMs === null ? "–" : t("web.operator.ms", { ms: searches.medianMs }),
        ],
      ],
    ],
    [
      t("web.operator.users"),
      [
        [t("web.operator.people"), number(users.people)],
        [t("web.operator.newLastDay"), number(users.newLastDay)],
        [t("web.operator.bots"), number(users.bots)],
        [
          t("web.operator.memory"),
          t("web.operator.megabytes", { count: Math.round(value.memoryBytes / 1e6) }),
        ],
        [t("web.operator.started"), words().formatRelative(new Date(value.startedAt))],
        [t("web.operator.version"), value.version],
      ],
    ],
  ];
  return (
    <div class="figure-groups">
      {groups.map(([title, figures]) => (
        <section key={title} class="card">
          <h2>{title}</h2>
          <dl class="facts">
            {figures.map(([name, figure]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{figure}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}
